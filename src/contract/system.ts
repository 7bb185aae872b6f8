import { z } from 'zod';
import { timeSchema } from './time.ts';

export const healthSchema = z.object({ object: z.literal('health'), status: z.literal('ok') });

export const versionSchema = z.object({
  object: z.literal('version'),
  version: z.string(),
  node: z.string(),
  embedding: z.object({
    provider: z.enum(['voyage', 'openai', 'local', 'off']),
    model: z.string(),
    dimensions: z.int().describe('Numbers of a vector; 0 where embeddings are switched off.'),
  }),
  models: z.object({
    provider: z.enum(['anthropic', 'openai', 'offline']),
    answer: z.string(),
    router: z.string(),
    summary: z.string(),
  }),
});

const checkSchema = z.object({ ok: z.boolean(), detail: z.string().optional() });

/** What providers are called for: replies, routes, summaries of turns and files, and vectors. */
const phaseSchema = z.enum(['answer', 'route', 'summary', 'embed']);

/** A provider whose last call has failed. */
export const outageSchema = z.object({
  phase: phaseSchema,
  provider: z.string(),
  model: z.string(),
  problem: z
    .enum(['settings', 'unavailable', 'timeout', 'rejected'])
    .describe('`settings`: the key or the model is not accepted; nothing but changing them helps.'),
  since: timeSchema,
  failures: z.int().describe('Calls that have failed since then.'),
  detail: z.string().describe('What is wrong, what to do, and what becomes of the work meanwhile.'),
});
export type Outage = z.infer<typeof outageSchema>;

/** Whether the service can do its work, and with what. */
export const readinessSchema = z.object({
  object: z.literal('readiness'),
  ready: z.boolean(),
  status: z
    .enum(['ok', 'degraded', 'unavailable'])
    .describe('`degraded`: ready, but the last call of some provider has failed; `reasons` says which.'),
  reasons: z.array(outageSchema),
  database: checkSchema.extend({ kind: z.enum(['embedded', 'server']) }),
  accepting: checkSchema,
  embedding: versionSchema.shape.embedding,
  models: versionSchema.shape.models,
  retirements: z
    .array(
      z.object({
        model: z.string(),
        date: z.iso.date(),
        announced: z
          .boolean()
          .describe('Its provider switches the model off on that day; else not before it.'),
      }),
    )
    .describe('When the language models in use are switched off, as far as their provider has said.'),
});
export type Readiness = z.infer<typeof readinessSchema>;
