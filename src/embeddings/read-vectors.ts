import { EmbeddingError } from './model.ts';
import { toUnitVector } from './unit.ts';

/** The vectors of a reply, as providers send them; none of it is taken on trust. */
export interface ReplyItem {
  index?: number;
  /** Numbers, or 32-bit floats (little endian) as base64. */
  embedding?: unknown;
}

/** What a reply is held to. */
export interface Expected {
  /** Who sent it, as people call it. */
  name: string;
  /** How many texts were sent. */
  count: number;
  dimensions: number;
  /** What to change in the settings when vectors have so many numbers instead; undefined: nothing. */
  adviceOnDimensions?: (sent: number) => string;
}

/**
 * One unit-length vector for each text, in the order of the texts, which `index` tells.
 *
 * @throws EmbeddingError, final, for fewer or more vectors than texts, an index that is missing or comes twice, another
 *   dimension, values that are no finite numbers, and only zeros; one that may be tried again for a reply without vectors
 */
export function readVectors(data: unknown, expected: Expected): Float32Array[] {
  const { name, count } = expected;
  // a proxy's page, or a cut reply
  if (!Array.isArray(data)) throw new EmbeddingError(`${name} sent no embeddings`, { retryable: true });
  if (data.length !== count) throw malformed(name, `${data.length} embeddings for ${count} texts`);
  const vectors = new Array<Float32Array | undefined>(count).fill(undefined);
  for (const item of data as (ReplyItem | null)[]) {
    const { index, embedding } = item ?? {};
    if (index === undefined || !Number.isInteger(index) || index < 0 || index >= count || vectors[index]) {
      throw malformed(name, `an embedding with the index ${String(index)}`);
    }
    vectors[index] = readVector(embedding, expected);
  }
  return vectors.filter((vector) => vector !== undefined);
}

function readVector(embedding: unknown, { name, dimensions, adviceOnDimensions }: Expected): Float32Array {
  const values = typeof embedding === 'string' ? fromBase64(embedding) : embedding;
  const sent = isNumberList(values) ? values.length : 0;
  if (!isNumberList(values) || sent !== dimensions) {
    const advice = sent > 0 ? adviceOnDimensions?.(sent) : undefined;
    throw malformed(name, `an embedding of ${sent} numbers instead of ${dimensions}`, advice);
  }
  const unit = Array.from(values).every((value) => typeof value === 'number') ? toUnitVector(values) : null;
  if (!unit) throw malformed(name, 'an embedding with values that are not numbers, or only zeros');
  return unit;
}

const isNumberList = (value: unknown): value is ArrayLike<number> =>
  Array.isArray(value) || value instanceof Float32Array;

function fromBase64(text: string): Float32Array {
  const bytes = Buffer.from(text, 'base64');
  return Float32Array.from({ length: Math.floor(bytes.length / 4) }, (_, i) => bytes.readFloatLE(i * 4));
}

function malformed(name: string, what: string, advice?: string): EmbeddingError {
  return new EmbeddingError(`${name} sent ${what}`, {
    retryable: false,
    ...(advice !== undefined && { advice }),
  });
}
