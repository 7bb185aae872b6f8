import { z } from 'zod';
import { eventSchema } from './event.ts';
import { fidelitySchema } from './fidelity.ts';
import { kind } from './shared.ts';
import { timeSchema } from './time.ts';

/** Names of files that one request is about, 1,000 at most. */
export const fileNamesSchema = z.array(z.string().min(1).max(2_000)).min(1).max(1_000);

export const fileStatusSchema = z.enum(['queued', 'in_progress', 'completed', 'failed']);
export type FileStatus = z.infer<typeof fileStatusSchema>;

const fileStageSchema = z.enum(['converting', 'chunking', 'embedding', 'storing', 'summarizing']);
export type FileStage = z.infer<typeof fileStageSchema>;

/** Why an attempt at a file failed, in words for its owner. */
export const fileFailureSchema = z.object({
  code: z.string().describe('Stable name of the failure.'),
  message: z.string().describe('What happened, and what to do about it.'),
  retryable: z.boolean().describe('Whether another attempt may succeed.'),
});
export type FileFailure = z.infer<typeof fileFailureSchema>;

/** How a file stands by the contexts of its leaves. */
const fileContextsSchema = z.object({
  state: z
    .enum(['none', 'pending', 'ready', 'partial', 'failed'])
    .describe(
      '`none`: none are written. `pending`: they are being written or taken away. `ready`: every leaf has one. `partial`, `failed`: some or all leaves go without.',
    ),
  leaves: z.int().describe('Leaves of the searchable version that have one.'),
  last_error: fileFailureSchema.nullable().describe('Why leaves go without, where a call has failed.'),
});

/** A document, with what its newest version adds. */
export const fileSchema = z
  .object({
    object: kind('file'),
    name: z.string().describe('The name, unique in its place; part of its address.'),
    media_type: z.string().describe('Its media type, as its name and its bytes say.'),
    bytes: z.int().describe('The length of the newest upload, in bytes.'),
    sha256: z.string().describe('sha-256 of the bytes, in hex.'),
    version: z.int().describe('The newest upload, from 1.'),
    status: fileStatusSchema.describe(
      'How far the newest version is: `queued`, `in_progress`, `completed` or `failed`.',
    ),
    stage: fileStageSchema.nullable().describe('While in progress.'),
    progress: z
      .object({
        chunks_done: z.int().describe('Leaves that are embedded.'),
        chunks_total: z.int().describe('Leaves that there are to embed; 0 until that is known.'),
      })
      .describe('How far the newest version is.'),
    searchable_version: z
      .int()
      .nullable()
      .describe(
        'The version that search finds; the one before stays until the next is ready. A first version is found by its words as soon as it is converted, before it is `completed`.',
      ),
    vectors_pending: z
      .int()
      .describe(
        'Leaves of the searchable version that have no vector yet: they are found by their words, and not by meaning. 0 as a rule.',
      ),
    chunk_count: z.int().describe('Leaves of the searchable version.'),
    parent_count: z.int().describe('Sections of the searchable version.'),
    token_estimate: z.int().describe('Tokens of the searchable version.'),
    language: z
      .string()
      .nullable()
      .describe(
        'Language whose rules the words of the searchable version are searched by, as ISO 639-1 has it (`de`); null: English, or not known.',
      ),
    summary: z
      .string()
      .nullable()
      .describe('What is in it, in a few sentences; null until it was summarised.'),
    summary_status: z.enum(['pending', 'completed', 'failed']).describe('How far the summary is.'),
    contextual: z
      .boolean()
      .nullable()
      .describe(
        'Whether a model writes a context for each leaf, as the upload has asked; null: as the project or the service is set.',
      ),
    contexts: fileContextsSchema.describe('How far the contexts of the searchable version are.'),
    fidelity: fidelitySchema
      .nullable()
      .describe('What the conversion kept and lost; null until it was converted.'),
    last_error: fileFailureSchema.nullable().describe('Why the current attempt failed, and what to do.'),
    attempt: z.int().describe('How often its ingestion was begun; 0 while it waits for the first time.'),
    retry_at: timeSchema
      .nullable()
      .describe('While in progress: when the provider that is waited for is asked again.'),
    waiting_on_rate_limit: z.boolean().describe('The wait is for a provider that asked for fewer requests.'),
    uploaded_at: timeSchema.describe('When the newest version came; RFC 3339, UTC.'),
    updated_at: timeSchema.describe('When anything of this changed last; RFC 3339, UTC.'),
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
    object: kind('files_retried'),
    count: z.int().describe('How many.'),
    names: z.array(z.string()).describe('The files that are in the queue again.'),
  })
  .meta({ id: 'FilesRetried', description: 'What another attempt at all failed files took up.' });

/** What goes with files: counts of a deletion. */
export const removedMembers = {
  files: z.int().describe('Files.'),
  versions: z.int().describe('Versions of files, with their bytes.'),
  parents: z.int().describe('Sections.'),
  leaves: z.int().describe('Leaves, which are what is searched.'),
  vectors: z.int().describe('Vectors.'),
};

/** What the deletion of a file removed. */
export const fileDeletionSchema = z
  .object({
    object: kind('deletion'),
    id: z.string().describe('The name of the file.'),
    deleted: z.literal(true).describe('It is gone.'),
    removed: z
      .object({
        ...removedMembers,
        summaries: z.int().describe('Summaries.'),
      })
      .describe('What was removed with it.'),
  })
  .meta({ id: 'FileDeletion', description: 'What a deletion removed, counted before it was removed.' });
export type FileDeletion = z.infer<typeof fileDeletionSchema>;

/** The deletion of several files at once. */
export const filesDeletionSchema = z
  .object({
    object: z.literal('files_deletion').describe('What this is.'),
    deleted: z.literal(true).describe('All of them are gone.'),
    count: z.int().min(1).describe('How many files were deleted.'),
    data: z.array(fileDeletionSchema).describe('What each of them was, in the order asked for.'),
  })
  .meta({ id: 'FilesDeletion', description: 'What the deletion of several files at once removed.' });
export type FilesDeletion = z.infer<typeof filesDeletionSchema>;
