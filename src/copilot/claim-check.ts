import { figuresInWords, figuresOf, valuesOf } from './claim-figures.ts';
import { missingNames } from './claim-names.ts';
import { denies, deniesOrRefuses, sharedContent } from './claim-negation.ts';

/** What is cited for a claim. */
export interface ClaimEvidence {
  /** The sentences that the claim was taken from. */
  quotes: readonly string[];
  /** All that was shown of the sections they stand in, with the names of files and headings. */
  sections: readonly string[];
}

// A claim is a sentence: what is longer is none.
const LONGEST_CLAIM = 4_000;
// A claim that says nearly what the quote says, but for its "not", turns it round.
const SAME_STATEMENT = 0.6;

/**
 * Compares a claim with what is cited for it: figures and names must stand in the sections, and where the one denies, so
 * must the other. Words are compared, not meanings; small figures in words are asked of the claim only where they measure,
 * because a count ("two reasons") is the writer's own.
 *
 * @returns what of the claim does not stand there, as it is written; `not` for a negation on one side alone
 */
export function checkClaim(text: string, { quotes, sections }: ClaimEvidence): string[] {
  const claim = text.slice(0, LONGEST_CLAIM);
  const evidence = sections.join('\n');
  const values = valuesOf(evidence);
  const figures = [...figuresOf(claim), ...figuresInWords(claim)].filter(
    (figure) => !figure.values.some((value) => values.has(value)),
  );
  return [
    ...new Set([
      ...figures.map(({ text }) => text),
      ...missingNames(claim, evidence, values),
      ...(isTurnedRound(claim, quotes) ? ['not'] : []),
    ]),
  ];
}

function isTurnedRound(claim: string, quotes: readonly string[]): boolean {
  if (quotes.length === 0) return false;
  if (denies(claim)) return !quotes.some(deniesOrRefuses);
  if (deniesOrRefuses(claim)) return false;
  return quotes.every((quote) => denies(quote) && sharedContent(claim, quote) >= SAME_STATEMENT);
}
