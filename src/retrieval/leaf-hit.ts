/** A leaf that one ranking found. */
export interface LeafHit {
  fileId: string;
  /** Version of the file that the ranking saw. */
  version: number;
  leafIndex: number;
  score: number;
}

/** One key for the same leaf in all rankings. */
export function leafKey(hit: Pick<LeafHit, 'fileId' | 'leafIndex'>): string {
  return `${hit.leafIndex} ${hit.fileId}`;
}

/** What a ranking found, best first. */
export interface LeafRanking {
  hits: LeafHit[];
  /** There were more than were asked for. */
  more: boolean;
}
