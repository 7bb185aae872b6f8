import { z } from 'zod';
import { eventSchema } from './event.ts';
import { fidelitySchema } from './fidelity.ts';
import { timeSchema } from './time.ts';

export const fileStatusSchema = z.enum(['queued', 'in_progress', 'completed', 'failed']);
export type FileStatus = z.infer<typeof fileStatusSchema>;

const fileStageSchema = z.enum(['converting', 'chunking', 'embedding', 'storing', 'summarizing']);
export type FileStage = z.infer<typeof fileStageSchema>;

/** Why an attempt at a file failed, in words for its owner. */
export const fileFailureSchema = z.object({ code: z.string(), message: z.string(), retryable: z.boolean() });
export type FileFailure = z.infer<typeof fileFailureSchema>;

/** A document, with what its newest version adds. */
export const fileSchema = z
  .object({
    object: z.literal('file'),
    name: z.string(),
    media_type: z.string(),
    bytes: z.int(),
    sha256: z.string(),
    version: z.int().describe('The newest upload, from 1.'),
    status: fileStatusSchema,
    stage: fileStageSchema.nullable().describe('While in progress.'),
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
  .meta({ id: 'StoredFile', description: 'A document, with what its newest version adds.' });
export type File = z.infer<typeof fileSchema>;

const deletedFileSchema = fileSchema
  .pick({ object: true, name: true })
  .meta({ id: 'DeletedFile', description: 'What is left to say of a file that was deleted.' });

/** What the stream of a file's ingestion tells: the file as it then is; of one that was deleted, its name only. */
export const fileEventSchema = z
  .discriminatedUnion('event', [
    eventSchema(
      'file.progress',
      fileSchema,
      'The file as it is at first, and whenever something has changed.',
    ),
    eventSchema('file.completed', fileSchema, 'The ingestion has ended: the file is searchable.'),
    eventSchema('file.failed', fileSchema, 'The ingestion has ended: the file says why.'),
    eventSchema('file.deleted', deletedFileSchema, 'The file was deleted.'),
  ])
  .meta({ id: 'FileEvent', description: 'Server-sent events: each has `id`, `event` and `data` (JSON).' });
type ShownFileEvent = z.infer<typeof fileEventSchema>;
/** The same as the service tells it, without a number. */
export type FileEvent = ShownFileEvent extends infer E ? (E extends unknown ? Omit<E, 'id'> : never) : never;

/** What another attempt at all failed files took up. */
export const filesRetriedSchema = z
  .object({
    object: z.literal('files_retried'),
    count: z.int(),
    names: z.array(z.string()).describe('The files that are in the queue again.'),
  })
  .meta({ id: 'FilesRetried' });

/** What the deletion of a file removed. */
export const fileDeletionSchema = z
  .object({
    object: z.literal('deletion'),
    id: z.string(),
    deleted: z.literal(true),
    removed: z.object({
      files: z.int(),
      versions: z.int(),
      parents: z.int(),
      leaves: z.int(),
      vectors: z.int(),
      summaries: z.int(),
    }),
  })
  .meta({ id: 'FileDeletion', description: 'What a deletion removed, counted before it was removed.' });
export type FileDeletion = z.infer<typeof fileDeletionSchema>;
