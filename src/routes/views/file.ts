import { z } from 'zod';
import type { FileRecord } from '../../db/files.ts';
import { timeSchema } from '../plumbing/wire.ts';

/** What a conversion kept and lost. */
export const fidelitySchema = z
  .looseObject({
    score: z.number().describe('1 when all structure arrived.'),
    losses: z.array(z.looseObject({ kind: z.string(), count: z.int(), detail: z.string().optional() })),
  })
  .describe('What the conversion kept and lost.');

/** Why an attempt at a file failed. */
export const fileFailureSchema = z.object({ code: z.string(), message: z.string(), retryable: z.boolean() });

/** A file as the contract shows it. */
export const fileSchema = z
  .object({
    object: z.literal('file'),
    name: z.string(),
    media_type: z.string(),
    bytes: z.int(),
    sha256: z.string(),
    version: z.int().describe('The newest upload, from 1.'),
    status: z.enum(['queued', 'in_progress', 'completed', 'failed']),
    stage: z
      .enum(['converting', 'chunking', 'embedding', 'storing', 'summarizing'])
      .nullable()
      .describe('While in progress.'),
    progress: z.object({ chunks_done: z.int(), chunks_total: z.int() }),
    searchable_version: z
      .int()
      .nullable()
      .describe('The version that search finds; the one before stays until the next is ready.'),
    chunk_count: z.int(),
    parent_count: z.int(),
    token_estimate: z.int(),
    summary: z.string().nullable(),
    summary_status: z.enum(['pending', 'completed', 'failed']),
    fidelity: fidelitySchema.nullable(),
    last_error: fileFailureSchema.nullable().describe('Why the current attempt failed, and what to do.'),
    attempt: z.int(),
    retry_at: timeSchema
      .nullable()
      .describe('While in progress: when the provider that is waited for is asked again.'),
    waiting_on_rate_limit: z.boolean().describe('The wait is for a provider that asked for fewer requests.'),
    uploaded_at: timeSchema,
    updated_at: timeSchema,
  })
  .meta({ id: 'File' });

/** @see fileSchema */
export const fileView = (file: FileRecord): z.infer<typeof fileSchema> => ({
  object: 'file',
  name: file.name,
  media_type: file.mediaType,
  bytes: file.bytes,
  sha256: file.sha256,
  version: file.version,
  status: file.status,
  stage: file.stage,
  progress: { chunks_done: file.chunksDone, chunks_total: file.chunksTotal },
  searchable_version: file.searchableVersion,
  chunk_count: file.chunkCount,
  parent_count: file.parentCount,
  token_estimate: file.tokenEstimate,
  summary: file.summary,
  summary_status: file.summaryStatus,
  fidelity: file.fidelity as z.infer<typeof fidelitySchema> | null,
  last_error: file.lastError,
  attempt: file.attempt,
  retry_at: file.retryAt?.toISOString() ?? null,
  waiting_on_rate_limit: file.rateLimited,
  uploaded_at: file.uploadedAt.toISOString(),
  updated_at: file.updatedAt.toISOString(),
});
