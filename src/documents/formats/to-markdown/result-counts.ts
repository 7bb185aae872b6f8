import type { CountedKind } from '../converted.ts';
import { FURNITURE_LABELS } from './furniture-labels.ts';
import { countLetters } from './letters.ts';

/** What the Markdown holds. */
export interface ResultCounts {
  kinds: Record<CountedKind, number>;
  /** Letters and digits of its text, without addresses and markup. */
  letters: number;
}

/** The tags that tables are written with. */
const TAG = /<\/?(?:table|tr|td|th|ul|ol|li|br|strong|em|s|sup|sub|code|pre|blockquote|a|img)\b[^<>]*>/g;

/** The signs of items that begin in a line: an item may begin with the first one of a list in it. */
const ITEMS = /^[\s>]*(?:(?:-|\d{1,9}[.)]) +)+/;

/** What the conversion itself wrote: in front of the text of headers and footers, and the sign of a task that is done. */
const LABEL = new RegExp(
  `^(?:${Object.values(FURNITURE_LABELS).join('|')})|^\\s*(?:(?:-|\\d{1,9}[.)]) +)*\\[x\\] `,
);

function matches(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/**
 * Counts the structure in Markdown that this converter wrote. It reads the text line by line and trusts nothing that the
 * conversion knew: what is counted here did arrive.
 */
export function countResult(markdown: string): ResultCounts {
  const kinds = { headings: 0, tables: 0, list_items: 0, links: 0, images: 0, footnotes: 0 };
  let letters = 0;
  let fence: string | undefined;
  for (const line of markdown.split('\n')) {
    const ticks = /^\s*(?:[-*>]\s+)*(`{3,})/.exec(line)?.[1];
    if (ticks !== undefined && (fence === undefined || fence === ticks)) {
      fence = fence === undefined ? ticks : undefined;
      continue;
    }
    if (fence !== undefined) {
      letters += countLetters(line);
      continue;
    }
    if (/^#{1,6} /.test(line)) kinds.headings += 1;
    if (/^[\s>]*\|(?: --- \|)+$/.test(line)) kinds.tables += 1;
    kinds.tables += matches(line, /<table>/g);
    kinds.list_items += matches(ITEMS.exec(line)?.[0] ?? '', /[-.)] /g);
    kinds.list_items += matches(line, /<li>/g);
    kinds.links +=
      matches(line, /<https?:[^\s<>]+>/gi) +
      matches(line, /\]\((?!#|\))/g) +
      matches(line, /<a href="(?!#)/g);
    kinds.images += matches(line, /!\[(?!Image\])/g) + matches(line, /<img alt="(?!Image")/g);
    kinds.footnotes += matches(line, /(?<!\\)\[\^\d+\](?!:)/g);
    const text = line
      .replace(LABEL, '')
      .replace(/\\[!-/:-@[-`{-~]/g, '')
      .replace(/!\[Image\]\(\)/g, '')
      .replace(/\]\([^()\s]*\)/g, ']')
      .replace(TAG, '')
      .replace(/\[\^\d+\]:?/g, '');
    letters += countLetters(text);
  }
  return { kinds, letters };
}
