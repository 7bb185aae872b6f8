import { z } from 'zod';
import { modeSchema } from './state.ts';

/** Phase A's decision. */
export const routingSchema = z
  .object({
    next_probe: z.string().nullable().describe('The probe that the turn goes by; null for none.'),
    triggered_patterns: z.array(z.string()).describe('Patterns that the conversation shows.'),
    active_mode: modeSchema.describe('The mode that the conversation is in.'),
    action: z.enum(['probe', 'synthesise', 'switch_mode', 'answer']).describe('What the turn is to do.'),
    requires_retrieval: z.boolean().describe('Whether documents and earlier turns are looked up.'),
    relevant_files: z.array(z.string()).describe('Files that the message probably means.'),
    reason: z.string().describe('Why, in a sentence.'),
    source: z
      .enum(['model', 'offline', 'fallback', 'override'])
      .describe(
        'Who decided: `fallback` when the router failed, `override` when the caller said whether to retrieve.',
      ),
    notes: z
      .array(z.string())
      .describe("What of the router's reply could not be used, and what was done instead."),
  })
  .meta({ id: 'Routing', description: "Phase A's decision." });
export type Routing = z.infer<typeof routingSchema>;
