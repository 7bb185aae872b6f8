import { z } from 'zod';
import { kind } from './shared.ts';
import { timeSchema } from './time.ts';

export const healthSchema = z
  .object({
    object: kind('health'),
    status: z.literal('ok').describe('The process is alive.'),
  })
  .meta({ id: 'Health', description: 'The process is alive.' });

export const versionSchema = z
  .object({
    object: kind('version'),
    version: z.string().describe('The version of the service.'),
    node: z.string().describe('The version of Node.js.'),
    embedding: z
      .object({
        provider: z.enum(['voyage', 'openai', 'local', 'off']).describe('Who embeds; `local`: this process.'),
        model: z.string().describe('The embedding model.'),
        dimensions: z.int().describe('Numbers of a vector; 0 where embeddings are switched off.'),
      })
      .describe('What documents and queries are embedded with.'),
    rerank: z
      .object({
        provider: z
          .enum(['voyage', 'cohere', 'tei', 'local'])
          .describe('Who is asked; `local`: processes of the service.'),
        model: z.string().describe('The reranker.'),
      })
      .nullable()
      .describe('What puts the sections that a search finds into their order; null: the search alone.'),
    models: z
      .object({
        provider: z
          .enum(['anthropic', 'openai', 'offline'])
          .describe('Who answers; `offline`: rules of this process, without a model.'),
        answer: z.string().describe('The model that answers.'),
        router: z.string().describe('The model that routes.'),
        summary: z.string().describe('The model that summarises.'),
      })
      .describe('The language models.'),
  })
  .meta({ id: 'Version', description: 'What is running.' });

const checkSchema = z.object({
  ok: z.boolean().describe('Whether it is all right.'),
  detail: z.string().optional().describe('What is wrong, where it is not.'),
});

/** What providers are called for: replies, routes, summaries of turns and files, vectors, and the order of passages. */
const phaseSchema = z.enum(['answer', 'route', 'summary', 'embed', 'rerank']);

/** A provider whose last call has failed. */
export const outageSchema = z
  .object({
    phase: phaseSchema.describe('What it is called for.'),
    provider: z.string().describe('Who was called.'),
    model: z.string().describe('The model that was called.'),
    problem: z
      .enum(['settings', 'unavailable', 'timeout', 'rejected'])
      .describe('`settings`: the key or the model is not accepted; nothing but changing them helps.'),
    since: timeSchema.describe('When the first of those calls failed; RFC 3339, UTC.'),
    failures: z.int().describe('Calls that have failed since then.'),
    detail: z.string().describe('What is wrong, what to do, and what becomes of the work meanwhile.'),
  })
  .meta({ id: 'Outage', description: 'A provider whose last call has failed.' });
export type Outage = z.infer<typeof outageSchema>;

/** Whether the service can do its work, and with what. */
export const readinessSchema = z
  .object({
    object: kind('readiness'),
    ready: z.boolean().describe('Whether it can do its work.'),
    status: z
      .enum(['ok', 'degraded', 'unavailable'])
      .describe('`degraded`: ready, but the last call of some provider has failed; `reasons` says which.'),
    reasons: z.array(outageSchema).describe('The providers whose last call has failed.'),
    database: checkSchema
      .extend({ kind: z.enum(['embedded', 'server']).describe('Embedded in the process, or a server.') })
      .describe('The database.'),
    accepting: checkSchema.describe('Whether new work is taken on.'),
    embedding: versionSchema.shape.embedding.describe('What documents and queries are embedded with.'),
    rerank: versionSchema.shape.rerank,
    models: versionSchema.shape.models.describe('The language models.'),
    retirements: z
      .array(
        z.object({
          model: z.string().describe('The model.'),
          date: z.iso.date().describe('The day, in UTC.'),
          announced: z
            .boolean()
            .describe('Its provider switches the model off on that day; else not before it.'),
        }),
      )
      .describe('When the language models in use are switched off, as far as their provider has said.'),
  })
  .meta({ id: 'Readiness', description: 'Whether the service can do its work, and with what.' });
export type Readiness = z.infer<typeof readinessSchema>;
