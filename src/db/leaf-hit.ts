/** A leaf that one ranking found. */
export interface LeafHit {
  fileId: string;
  /** Version of the file that the ranking saw. */
  version: number;
  leafIndex: number;
  score: number;
}
