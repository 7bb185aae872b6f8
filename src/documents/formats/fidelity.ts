import type { CountedKind, FidelityReport, Loss } from './converted.ts';

/** One thing of each kind, as losses name it. */
const SINGULAR: Record<CountedKind, string> = {
  headings: 'heading',
  tables: 'table',
  list_items: 'list_item',
  links: 'link',
  images: 'image',
  footnotes: 'footnote',
};

/** How much each counts in the score: what carries meaning counts most. */
const TEXT_WEIGHT = 20;
const WEIGHTS: Record<CountedKind, number> = {
  headings: 5,
  tables: 5,
  list_items: 5,
  footnotes: 3,
  links: 2,
  images: 1,
};

const DETAILS: Readonly<Record<string, string>> = {
  image: 'Pictures without alternative text: only their place is kept.',
  text: 'Letters of the source that the Markdown does not have.',
};

export interface FidelityInput {
  source: Record<CountedKind, number>;
  result: Record<CountedKind, number>;
  /** Letters and digits on both sides. */
  letters: { source: number; result: number };
  /** What was left behind knowingly. */
  losses: ReadonlyMap<string, number>;
  /** What there is to say about a kind of loss, in whole sentences: each format knows its own. */
  details: Readonly<Record<string, string>>;
}

function share(source: number, result: number): number {
  return Math.min(1, result / source);
}

/** A small difference in letters is numbering, symbols and equations, which are written differently. */
const NEGLIGIBLE = 0.01;

/**
 * Judges a conversion by what was counted on both sides. The score is a weighted mean of the share of the text
 * (by its letters) and of each kind of structure that the source has; 1 only if nothing is missing.
 */
export function reportFidelity({ source, result, letters, losses, details }: FidelityInput): FidelityReport {
  const kinds = Object.keys(source) as CountedKind[];
  const counts = Object.fromEntries(
    kinds.map((kind) => [kind, { source: source[kind], result: result[kind] }]),
  ) as Record<CountedKind, { source: number; result: number }>;
  const all = new Map(losses);
  let weight = 0;
  let kept = 0;
  for (const kind of kinds) {
    if (source[kind] === 0) continue;
    weight += WEIGHTS[kind];
    kept += WEIGHTS[kind] * share(source[kind], result[kind]);
    if (source[kind] > result[kind]) all.set(SINGULAR[kind], source[kind] - result[kind]);
  }
  if (letters.source > 0) {
    const ofText = share(letters.source, letters.result);
    const isWhole = 1 - ofText <= NEGLIGIBLE;
    weight += TEXT_WEIGHT;
    kept += TEXT_WEIGHT * (isWhole ? 1 : ofText);
    if (!isWhole) all.set('text', letters.source - letters.result);
  }
  return {
    score: weight === 0 ? 1 : Math.floor((kept / weight) * 1000) / 1000,
    counts,
    losses: [...all].map(([kind, count]): Loss => {
      const detail = details[kind] ?? DETAILS[kind];
      return detail === undefined ? { kind, count } : { kind, count, detail };
    }),
  };
}

/** The report on text that is stored as it came: nothing is counted, since nothing can be lost. */
export function passThroughFidelity(): FidelityReport {
  return { score: 1, counts: {}, losses: [] };
}
