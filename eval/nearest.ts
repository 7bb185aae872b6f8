const pairsOf = (word: string): Set<string> => {
  const letters = word.toLowerCase();
  return new Set(
    Array.from({ length: Math.max(0, letters.length - 1) }, (_, at) => letters.slice(at, at + 2)),
  );
};

/** How much two words have in common: Dice's coefficient of their pairs of letters, 0 to 1. */
function likeness(a: string, b: string): number {
  const [ofA, ofB] = [pairsOf(a), pairsOf(b)];
  const shared = [...ofA].filter((pair) => ofB.has(pair)).length;
  return (2 * shared) / Math.max(1, ofA.size + ofB.size);
}

/** The name that a mistyped or half remembered one most likely means; undefined: it is like none. */
export function nearest(typed: string, names: readonly string[]): string | undefined {
  return names
    .map((name) => ({ name, like: likeness(typed, name) }))
    .filter(({ like }) => like > 0)
    .toSorted((a, b) => b.like - a.like)[0]?.name;
}
