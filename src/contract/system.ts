import { z } from 'zod';

export const healthSchema = z.object({ object: z.literal('health'), status: z.literal('ok') });

export const versionSchema = z.object({
  object: z.literal('version'),
  version: z.string(),
  node: z.string(),
});

const checkSchema = z.object({ ok: z.boolean(), detail: z.string().optional() });

/** Whether the service can do its work, and with what. */
export const readinessSchema = z.object({
  object: z.literal('readiness'),
  ready: z.boolean(),
  database: checkSchema.extend({ kind: z.enum(['embedded', 'server']) }),
  accepting: checkSchema,
  embedding: z.object({ provider: z.string(), model: z.string(), dimensions: z.int() }),
  models: z.object({ provider: z.string(), answer: z.string(), router: z.string(), summary: z.string() }),
});
export type Readiness = z.infer<typeof readinessSchema>;
