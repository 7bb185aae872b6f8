import type { TermsAsked } from '../../text/asked-terms.ts';
import { oneLine } from '../../text/one-line.ts';

const LONGEST = 240;
/** Read of a text: leaves are shorter but for code. */
const LOOKED_AT = 20_000;

/** One line of a text, at most 240 characters: from the line that has most terms of the query. */
export function previewOf(text: string, terms: TermsAsked): string {
  const lines = text.slice(0, LOOKED_AT).split(/\r\n?|\n/);
  let best = 0;
  let most = 0;
  lines.forEach((line, index) => {
    // a heading says less than what stands under it
    const found = terms.foundIn(line) - (/^\s*#/.test(line) ? 0.5 : 0);
    if (found > most) [best, most] = [index, found];
  });
  return oneLine(
    lines
      .slice(best)
      .join(' ')
      .slice(0, LONGEST * 4),
    LONGEST,
  );
}
