import { ConversionError, type FidelityReport } from '../../documents/formats/converted.ts';

/** The refusal of a conversion that kept less than was asked for; null when it kept enough. */
export function lowFidelity(report: FidelityReport, least: number | null): ConversionError | null {
  if (least === null || report.score >= least) return null;
  const lost = report.losses.slice(0, 5).map(({ kind, count }) => `${count} ${kind.replaceAll('_', ' ')}`);
  return new ConversionError(
    'low_fidelity',
    `The conversion kept ${report.score} of the document, and at least ${least} was asked for` +
      `${lost.length > 0 ? ` (lost: ${lost.join(', ')})` : ''}. Read the fidelity report, then upload another export, or ask for less.`,
  );
}
