/** What is counted about outlines since the start of the process: numbers only, nothing of any document. */
export interface OutlineCounts {
  /** Outlines made with a version, and made again because the stored one was missing or did not fit. */
  builds: number;
  rebuilds: number;
  /** Reads served from memory, and those that had to ask the database. */
  hits: number;
  misses: number;
  /** Reads of an outline whose document has a newer version under way. */
  staleHits: number;
  /** Reads that a client's own digest answered. */
  notModified: number;
  /** Tokens of the documents less the tokens of what was sent in their place. */
  tokensSaved: number;
  /** Section searches that had to do without an embedding. */
  providerErrors: number;
}

/** Counts what happens to outlines. */
export function createOutlineTelemetry() {
  const counts: OutlineCounts = {
    builds: 0,
    rebuilds: 0,
    hits: 0,
    misses: 0,
    staleHits: 0,
    notModified: 0,
    tokensSaved: 0,
    providerErrors: 0,
  };
  return {
    add(name: keyof OutlineCounts, amount = 1): void {
      counts[name] += amount;
    },
    read: (): Readonly<OutlineCounts> => counts,
  };
}

export type OutlineTelemetry = ReturnType<typeof createOutlineTelemetry>;
