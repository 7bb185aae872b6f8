import { z } from 'zod';

/** Kinds that neither bring nor ask for information. */
export const FILLER_KINDS = [
  'acknowledgement',
  'consent',
  'go_on',
  'courtesy',
  'greeting',
  'farewell',
  'praise',
  'pause',
  'emoji',
] as const;

/** Kinds that bring or ask for information, however short; `mixed` begins like a filler and goes on. */
export const SUBSTANTIVE_KINDS = [
  'question',
  'short_question',
  'request',
  'information',
  'short_answer',
  'correction',
  'objection',
  'mixed',
] as const;

export const kindSchema = z.enum([...FILLER_KINDS, ...SUBSTANTIVE_KINDS]);

export const messageSchema = z.strictObject({
  id: z.string().regex(/^[a-z]{2}-\d{2,3}$/),
  /** ISO 639-1. */
  language: z.string().length(2),
  kind: kindSchema,
  requires_retrieval: z.boolean(),
  message: z.string().min(1),
});
export type LabelledMessage = z.infer<typeof messageSchema>;
