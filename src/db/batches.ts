/** Rows in one insert: keeps a statement's parameters to some megabytes. */
const BATCH = 500;

/** What one statement after the other takes of a long list of rows. */
export function* batches<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += BATCH) yield items.slice(start, start + BATCH);
}
