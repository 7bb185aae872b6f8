import leven from 'leven';

/** More differences than this share of a name's length, and it is another name. */
const MOST_DIFFERENT = 0.5;

/**
 * The known name that a wrong one is most likely a slip of; null when none is near.
 *
 * @param most letters to add, to leave out or to change; by default half of the known name's
 */
export function nearestName(wrong: string, known: readonly string[], most?: number): string | null {
  const text = wrong.slice(0, 200).toLowerCase();
  let best: { name: string; distance: number } | null = null;
  for (const name of known) {
    const distance = leven(text, name.toLowerCase());
    if (distance <= (most ?? name.length * MOST_DIFFERENT) && (best === null || distance < best.distance)) {
      best = { name, distance };
    }
  }
  return best?.name ?? null;
}
