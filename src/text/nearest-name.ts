/** More differences than this share of a name's length, and it is another name. */
const MOST_DIFFERENT = 0.5;

/** The known name that a wrong one is most likely a slip of; null when none is near. */
export function nearestName(wrong: string, known: readonly string[]): string | null {
  const text = wrong.slice(0, 200).toLowerCase();
  let best: { name: string; distance: number } | null = null;
  for (const name of known) {
    const distance = editDistance(text, name.toLowerCase());
    if (distance <= name.length * MOST_DIFFERENT && (best === null || distance < best.distance)) {
      best = { name, distance };
    }
  }
  return best?.name ?? null;
}

/** Letters to add, to leave out or to change to make one text of the other (Levenshtein). */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...one].entries()) {
    const next = [i + 1];
    for (let j = 0; j < other.length; j++) {
      const change = (row[j] ?? 0) + (letter === other[j] ? 0 : 1);
      next.push(Math.min(change, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
