import { z } from 'zod';
import { OWN_PROJECTS } from '../documents/own.ts';

const texts = z.array(z.string().min(1));
const patterns = z.array(
  z.string().refine((source) => compiles(source), { error: 'is no regular expression' }),
);

/** What must hold of the reply and of the project's state after the message. See README.md. */
export const expectationSchema = z.strictObject({
  contains: texts.optional(),
  /** Of each list one at least. */
  contains_any: z.array(texts).optional(),
  not_contains: texts.optional(),
  matches: patterns.optional(),
  not_matches: patterns.optional(),
  /** A citation for each; an empty list: the reply cites nothing. */
  cites: z.array(z.strictObject({ document: z.string(), quote_contains: z.string().optional() })).optional(),
  skeleton: z.record(z.string(), z.string()).optional(),
  skeleton_unset: texts.optional(),
  /** For each, an assumption of the register has it. */
  assumption_contains: texts.optional(),
  no_assumption: z.literal(true).optional(),
  no_documents_searched: z.literal(true).optional(),
  /** What the reply quotes from a document is a whole sentence, item, row or heading of it. */
  whole_quotes: z.literal(true).optional(),
});
export type Expectation = z.infer<typeof expectationSchema>;

export const dialogueSchema = z.strictObject({
  id: z.string().regex(/^[a-z-]+$/),
  kind: z.enum([
    'courtesy',
    'silence',
    'files',
    'window',
    'table',
    'quoting',
    'skeleton',
    'assumption',
    'standing',
  ]),
  /** Whose documents the project has; `none`: it has no files. */
  project: z.enum(['none', ...OWN_PROJECTS]),
  /** Of its documents only these. */
  documents: texts.optional(),
  /** Messages sent before, each a turn of its own; their replies are the model's. */
  earlier: texts.default([]),
  message: z.string(),
  expect: expectationSchema,
});
export type Dialogue = z.infer<typeof dialogueSchema>;

export const dialogueFileSchema = z.strictObject({
  /** Lists that an entry `[$name]` of `contains_any` stands for. */
  phrases: z.record(z.string(), texts),
  /** Holds for every dialogue besides its own expectation. */
  always: expectationSchema,
  dialogues: z.array(dialogueSchema),
});

/** Patterns ignore case, and know lines and all of Unicode. */
export const asPattern = (source: string): RegExp => new RegExp(source, 'imu');

function compiles(source: string): boolean {
  try {
    asPattern(source);
    return true;
  } catch {
    return false;
  }
}
