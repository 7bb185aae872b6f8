/**
 * Parents, leaves or vectors of one transaction. It takes some hundredths of a second on the embedded database, and a note waits
 * for one of them whenever it takes its turn there: seven times until its words are found, and ten times more until it is completed.
 */
const SLICE = 200;

/** Rows a transaction at a time. */
export function* slices<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += SLICE) yield items.slice(start, start + SLICE);
}
