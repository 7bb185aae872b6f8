import { z } from 'zod';
import { modeSchema } from './state.ts';

/** Phase A's decision. */
export const routingSchema = z
  .object({
    next_probe: z.string().nullable(),
    triggered_patterns: z.array(z.string()),
    active_mode: modeSchema,
    action: z.enum(['probe', 'synthesise', 'switch_mode', 'answer']),
    requires_retrieval: z.boolean(),
    relevant_files: z.array(z.string()),
    reason: z.string(),
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
