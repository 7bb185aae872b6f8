/**
 * How much of the service a job takes. Notes and small jobs have a lane that heavy ones cannot enter; one that turns out to
 * be heavier than it looked is put back as what it is.
 */
export const WEIGHT = { note: 0, small: 1, heavy: 2, alone: 3 } as const;
export type Weight = (typeof WEIGHT)[keyof typeof WEIGHT];

export const isHeavy = (weight: Weight): boolean => weight >= WEIGHT.heavy;

/** Most that a note, and a small file, may look like, in bytes of plain text. */
const NOTE_BYTES = 16 * 1024;
const SMALL_BYTES = 128 * 1024;

/** What is packed may be much larger than it looks, and is dearer to read: so many bytes of text for one of the file. */
const PACKED_FACTOR = 4;
const PLAIN = /\.(md|markdown|txt|text|json|ya?ml|csv|tsv)$/i;

/** What is known of a file's weight before anybody has read it. */
export function weightOfFile(name: string, bytes: number): Weight {
  const looksLike = PLAIN.test(name) ? bytes : bytes * PACKED_FACTOR;
  if (looksLike <= NOTE_BYTES) return WEIGHT.note;
  return looksLike <= SMALL_BYTES ? WEIGHT.small : WEIGHT.heavy;
}

/** An attempt was broken off, and showed what the job weighs. */
export class WeighedError extends Error {
  /** What the next attempt goes by. */
  readonly weight: Weight;
  /** The job did nothing wrong but look small: the attempt does not count, and the next may begin at once. */
  readonly isPostponed: boolean;

  constructor(message: string, options: { weight: Weight; isPostponed: boolean; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.name = 'WeighedError';
    this.weight = options.weight;
    this.isPostponed = options.isPostponed;
  }
}
