import { claudeModel } from './models.ts';

/** The day on which a model is switched off (`announced`), or before which it is not. */
export interface Retirement {
  /** As `2027-09-28`. */
  date: string;
  announced: boolean;
}

/** When a model is switched off, as far as its provider has said; null for a model that is not known here. */
export function retirementOf(modelId: string): Retirement | null {
  const retirement = claudeModel(modelId)?.retirement;
  if (!retirement) return null;
  return 'on' in retirement
    ? { date: retirement.on, announced: true }
    : { date: retirement.notBefore, announced: false };
}

/** One line on it. @param today as `2026-11-22` */
export function retirementNotice({ date, announced }: Retirement, today: string): string {
  const isPast = date <= today;
  if (announced) return isPast ? `was switched off on ${date}` : `is switched off on ${date}`;
  return isPast ? `can be switched off any day since ${date}` : `is not switched off before ${date}`;
}
