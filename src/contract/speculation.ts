import { z } from 'zod';

/** The search that was begun with the routing. */
export const speculationSchema = z
  .object({
    probe: z.string().nullable().describe('The probe that it went by: that of the turn before.'),
    started_ms: z.number().describe('When it began, as the router was asked.'),
    finished_ms: z
      .number()
      .nullable()
      .describe('Null when it was thrown away and had not ended with the turn.'),
    route_finished_ms: z.number().describe('When the router had answered.'),
    overlap_ms: z.number().describe('How long routing and search ran side by side.'),
    used: z.boolean().describe('Whether what it found was used.'),
    outcome: z
      .enum(['used', 'not_needed', 'other_probe'])
      .describe(
        'What became of it; `not_needed`: the router found that nothing was to be looked up; `other_probe`: the search was made again with the new probe (the message is embedded once).',
      ),
  })
  .meta({
    id: 'Speculation',
    description:
      'The search that was begun with the routing, so that it adds no waiting; milliseconds since the turn began. Null where none was: with `retrieval: never`, and for a priming turn.',
    examples: [
      {
        probe: 'stakeholder-mapping',
        started_ms: 1.3,
        finished_ms: 30.6,
        route_finished_ms: 411.5,
        overlap_ms: 29.3,
        used: true,
        outcome: 'used',
      },
    ],
  });
export type SpeculationReport = z.infer<typeof speculationSchema>;
