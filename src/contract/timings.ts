import { z } from 'zod';

/** Milliseconds of a turn's steps. */
export const timingsSchema = z
  .partialRecord(
    z.enum(['route', 'embed', 'retrieve', 'overlap', 'rerank', 'assemble', 'first_token', 'answer', 'total']),
    z.number(),
  )
  .describe(
    'Milliseconds of each step; a step that did not happen is not there. `overlap`: how long routing and retrieval ran side by side.',
  )
  .meta({
    examples: [
      {
        route: 410.2,
        embed: 9.6,
        retrieve: 18.1,
        overlap: 29.3,
        assemble: 1.2,
        first_token: 903.5,
        answer: 3790.4,
        total: 4215.9,
      },
    ],
  });
export type Timings = z.infer<typeof timingsSchema>;
