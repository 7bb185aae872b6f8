/** Where a quote stands in a text: where it was, elsewhere, or nowhere. */
export interface Relocation {
  status: 'valid' | 'moved' | 'changed';
  /** Of the quote in the text; null when it is not there. */
  charStart: number | null;
  charEnd: number | null;
  /** How often it occurs, up to a thousand. */
  matches: number;
}

const MOST_MATCHES = 1_000;

/**
 * Looks for a quote in a text as it is now; of several places the one nearest to where it was is taken. Only forward
 * searches: the engine's backward one takes quadratic time on text that repeats itself.
 */
export function relocateQuote(text: string, quote: string, was: number): Relocation {
  let nearest = -1;
  let matches = 0;
  const consider = (at: number): void => {
    matches += 1;
    if (nearest === -1 || Math.abs(at - was) < Math.abs(nearest - was)) nearest = at;
  };
  for (let at = text.indexOf(quote); at !== -1 && matches < MOST_MATCHES; ) {
    consider(at);
    at = text.indexOf(quote, at + quote.length);
  }
  if (matches > 0 && text.startsWith(quote, was)) nearest = was;
  if (matches === MOST_MATCHES) {
    const onwards = text.indexOf(quote, was);
    if (onwards !== -1 && Math.abs(onwards - was) < Math.abs(nearest - was)) nearest = onwards;
  }
  if (nearest === -1) return { status: 'changed', charStart: null, charEnd: null, matches: 0 };
  return {
    status: nearest === was ? 'valid' : 'moved',
    charStart: nearest,
    charEnd: nearest + quote.length,
    matches,
  };
}

/** A section that a quote may have stood in. */
export interface Place {
  headerPath: readonly string[];
  charStart: number;
}

/** The place that shares most headings, from the top, with the path that was cited; of equals the nearest one. */
export function nearestPlace<P extends Place>(
  places: readonly P[],
  headerPath: readonly string[],
  was: number,
): P | null {
  const shared = (place: P): number => {
    const differs = headerPath.findIndex((heading, depth) => place.headerPath[depth] !== heading);
    return differs === -1 ? headerPath.length : differs;
  };
  let best: { place: P; shared: number; distance: number } | null = null;
  for (const place of places) {
    const next = { place, shared: shared(place), distance: Math.abs(place.charStart - was) };
    const better =
      !best || next.shared > best.shared || (next.shared === best.shared && next.distance < best.distance);
    if (better) best = next;
  }
  return best?.place ?? null;
}
