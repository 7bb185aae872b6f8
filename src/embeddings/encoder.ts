import type { EmbeddingInputType } from './model.ts';

/** What of a text an encoder reads at once, in whatever form it reads it. */
export interface EncoderWindow {
  /** How much is computed for it: word pieces. */
  length: number;
  /** Its part in the vector of the whole text. */
  weight: number;
}

/** A sentence encoder in this process. It blocks its thread while it works. */
export interface Encoder<W extends EncoderWindow> {
  /**
   * What may be computed at once, in word pieces, the padding that makes all windows equally long included. A window that
   * is longer is computed by itself; 0: each is.
   */
  readonly roomAtOnce: number;
  /** Cuts a text into what it reads; at least one. */
  windows(text: string, inputType: EmbeddingInputType): W[];
  /** The unit-length vectors of some windows, which do not depend on which they are together with. */
  encode(windows: readonly W[]): Promise<Float32Array[]>;
}
