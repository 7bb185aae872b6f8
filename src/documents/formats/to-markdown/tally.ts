import type { CountedKind } from '../converted.ts';

/** What the source holds and what is knowingly left behind, counted while its XML is read. */
export interface Tally {
  source: Record<CountedKind, number>;
  losses: Map<string, number>;
  /** Letters and digits of the visible text, without headers and footers. */
  letters: number;
  /** Letters and digits of headers and footers, each text once. */
  furniture: number;
}

export function createTally(): Tally {
  return {
    source: { headings: 0, tables: 0, list_items: 0, links: 0, images: 0, footnotes: 0 },
    losses: new Map(),
    letters: 0,
    furniture: 0,
  };
}

/** Counts one more of what does not arrive. */
export function lose(tally: Tally, kind: string, count = 1): void {
  tally.losses.set(kind, (tally.losses.get(kind) ?? 0) + count);
}
