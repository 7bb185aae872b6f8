import { createHash } from 'node:crypto';
import { z } from 'zod';

/** Where the answer stands in a document of the repository: words of it, blanks and table marks aside. */
const quotedEvidence = z.strictObject({ document: z.string(), quote: z.string().min(3) });

/**
 * Where the answer stands in a document of EVAL_DIR, of which nothing is copied: characters (UTF-16) of the text that
 * `documentText` reads, end exclusive, and the first 12 hex digits of the SHA-256 of that stretch.
 */
const placedEvidence = z.strictObject({
  document: z.string(),
  start: z.int().nonnegative(),
  end: z.int().positive(),
  digest: z.string().regex(/^[0-9a-f]{12}$/),
});

export const evidenceSchema = z.union([quotedEvidence, placedEvidence]);
export type Evidence = z.infer<typeof evidenceSchema>;

const asked = {
  id: z.string().regex(/^[a-z-]+-[au]\d{2}$/),
  /** The group of documents that the question is asked of. */
  project: z.string(),
  question: z.string().min(3),
  style: z.enum(['sentence', 'keyword', 'conversational', 'typo']),
  language: z.enum(['en', 'de', 'fr', 'es']),
};

const answerable = z.strictObject({
  ...asked,
  answerable: z.literal(true),
  /**
   * `direct`: the question has words of the answer; `paraphrase`: hardly any; `table`: the answer is a row; `cross_lingual`: the
   * question is in another language than the answer.
   */
  kind: z.enum(['direct', 'paraphrase', 'table', 'cross_lingual']),
  evidence: evidenceSchema,
});

const unanswerable = z.strictObject({
  ...asked,
  answerable: z.literal(false),
  /**
   * `off_topic`: of another world; `general_knowledge`: anyone knows it, the documents do not say it; `near_miss`: on the
   * documents' own matter, a detail that they leave out; `other_project`: another project's documents say it;
   * `wrong_entity`: shaped like what they answer, but of something that does not occur; `wrong_language_topic`: not in the
   * language of the documents, and not on their matter.
   */
  kind: z.enum([
    'off_topic',
    'general_knowledge',
    'near_miss',
    'other_project',
    'wrong_entity',
    'wrong_language_topic',
  ]),
  /** Terms that the answer would have; none occurs in any document of the project. See `termOccurs`. */
  absent: z.array(z.string().min(2)).min(1),
  /** For `other_project`: where it is answered. */
  elsewhere: z.strictObject({ project: z.string(), evidence: evidenceSchema }).optional(),
});

export const itemSchema = z.discriminatedUnion('answerable', [answerable, unanswerable]);
export type Item = z.infer<typeof itemSchema>;

/** Thresholds are fitted on `tune` and reported on `check`. */
export type Half = 'tune' | 'check';

/** The half that an item belongs to, by a hash of its id: new items do not move old ones. */
export function halfOf({ id }: Pick<Item, 'id'>): Half {
  const [first = 0] = createHash('sha256').update(`answerability:${id}`).digest();
  return first % 2 === 0 ? 'tune' : 'check';
}

/** The first 12 hex digits of the SHA-256 of a text. */
export const digestOf = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 12);
