import { z } from 'zod';
import { timeSchema } from './time.ts';

/** One line of a conversation that is imported. */
export const conversationMessageSchema = z.strictObject({
  role: z.enum(['user', 'assistant']),
  content: z.string(),
  created_at: timeSchema.refine((at) => at >= '0001', 'must be of year 1 or later').optional(),
});
export type ConversationMessage = z.infer<typeof conversationMessageSchema>;

/** What an import of a conversation made. */
export const turnsImportSchema = z
  .object({
    object: z.literal('turns_import'),
    imported: z.int().describe('Turns that were made.'),
    first_turn: z.int(),
    last_turn: z.int(),
  })
  .meta({ id: 'TurnsImport' });
export type TurnsImport = z.infer<typeof turnsImportSchema>;
