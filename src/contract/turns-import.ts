import { z } from 'zod';
import { kind } from './shared.ts';
import { timeSchema } from './time.ts';

/** One line of a conversation that is imported. */
export const conversationMessageSchema = z.strictObject({
  role: z.enum(['user', 'assistant']).describe('Who says it.'),
  content: z.string().describe('What is said.'),
  created_at: timeSchema.refine((at) => at >= '0001', 'must be of year 1 or later').optional(),
});
export type ConversationMessage = z.infer<typeof conversationMessageSchema>;

/** What an import of a conversation made. */
export const turnsImportSchema = z
  .object({
    object: kind('turns_import'),
    imported: z.int().describe('Turns that were made.'),
    first_turn: z.int().describe('The number of the first.'),
    last_turn: z.int().describe('The number of the last.'),
  })
  .meta({ id: 'TurnsImport', description: 'What an import of a conversation made.' });
export type TurnsImport = z.infer<typeof turnsImportSchema>;
