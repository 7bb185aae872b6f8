import { z } from 'zod';

const id = z.string().regex(/^[a-z-]+$/);

export const conversationSchema = z.strictObject({
  /** In their order; the first is turn 1. */
  turns: z.array(z.strictObject({ user: z.string().min(1), reply: z.string().min(1) })),
  facts: z.array(
    z.strictObject({
      id,
      /** The turn whose user message states it. */
      turn: z.int().positive(),
      statement: z.string(),
      /** The later fact that takes its place. */
      revised_by: id.optional(),
    }),
  ),
  questions: z.array(
    z.strictObject({
      fact: id,
      question: z.string(),
      /** Of each list one must be in the answer. */
      any: z.array(z.array(z.string().min(1)).min(1)).min(1),
      /** What the revised fact said. */
      outdated: z.array(z.string().min(1)).default([]),
    }),
  ),
});

export type Conversation = z.infer<typeof conversationSchema>;
export type MemoryQuestion = Conversation['questions'][number];

/**
 * What an answer is worth: `right`; `outdated` when it gives only what was revised since; `missing` otherwise. An answer
 * that has the new value and tells that it was another one before is right.
 */
export function judge({ any, outdated }: MemoryQuestion, answer: string): 'right' | 'outdated' | 'missing' {
  if (any.every((texts) => texts.some((text) => says(answer, text)))) return 'right';
  return outdated.some((text) => says(answer, text)) ? 'outdated' : 'missing';
}

/** Whether a text stands in an answer, in any case: from the start of a word on, and a number not as a part of another one. */
export function says(answer: string, text: string): boolean {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
    .join('\\s+');
  const before = /^\d/.test(text) ? '(?<!\\d|\\d[.,])' : '(?<![\\p{L}\\p{N}])';
  const after = /\d$/.test(text) ? '(?!\\d|[.,]\\d)' : '';
  return new RegExp(`${before}${words}${after}`, 'u').test(answer.toLowerCase());
}
