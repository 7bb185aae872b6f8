import type { LeafHit } from '../db/leaf-hit.ts';

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
