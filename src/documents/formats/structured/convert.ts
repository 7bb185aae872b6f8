import type { Converted, FidelityReport } from '../converted.ts';
import { passThrough } from '../text/convert.ts';

/** Why a structured text (YAML, JSON) cannot be read by its rules. */
export interface SyntaxFault {
  kind: 'syntax_error' | 'deep_nesting';
  /** From 1, where it is known. */
  line?: number;
  message: string;
}

/** All of the text is there; only its structure is in doubt. */
const SCORE_OF_BROKEN = 0.9;

function faultReport({ kind, line, message }: SyntaxFault, language: string): FidelityReport {
  const where = line === undefined ? 'In this file' : `In line ${line}`;
  const detail = `${where}: ${message}. The text is kept as it is, but a ${language} parser would refuse it.`;
  return { score: SCORE_OF_BROKEN, counts: {}, losses: [{ kind, count: 1, detail }] };
}

/**
 * Text of a structured format, kept as it is. What breaks the rules of the format is no reason to refuse it: it is
 * searched all the same, and the report names the fault.
 *
 * @throws ConversionError `unreadable_text`, `no_text`
 */
export function keepStructured<Text extends string>(
  bytes: Uint8Array,
  format: Text,
  findFault: (text: string) => SyntaxFault | undefined,
): Converted<Text> {
  const converted = passThrough(bytes, format);
  const fault = findFault(converted.markdown);
  if (fault === undefined) return converted;
  return { ...converted, fidelity: faultReport(fault, format.toUpperCase()) };
}

/** A parser's message in one short line without a full stop at its end. */
export function shortMessage(message: string): string {
  return (
    message
      .split('\n', 1)[0]
      ?.slice(0, 200)
      .replace(/[.:\s]+$/, '') ?? ''
  );
}
