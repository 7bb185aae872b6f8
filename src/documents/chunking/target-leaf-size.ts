/** A leaf minimum of 100 and a maximum of 500 give 200. */
const SHARE_OF_MAXIMUM = 0.4;

/**
 * The target size of leaves, in tokens: they are cut down to it wherever a block or a sentence ends, and grow up to the
 * maximum only where nothing ends. A small leaf is found more exactly, a local encoder reads it whole, and its parent is
 * what the model reads anyway. Never under twice the minimum, so that what is over it can be halved. Measured with 200
 * against whole sections of up to 500 and leaves of 100 to 300 of longer ones, by words alone: MRR@3 .843 against .757 on
 * documentation, intersection over union with excerpts .069 against .059 (recall .873 against .893), nDCG@10 .659 against
 * .669 on abstracts.
 */
export function targetLeafTokens({ leafMin, leafMax }: { leafMin: number; leafMax: number }): number {
  return Math.max(Math.round(SHARE_OF_MAXIMUM * leafMax), Math.min(2 * leafMin, leafMax));
}
