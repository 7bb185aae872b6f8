import { z } from 'zod';
import { filenameSchema, kind } from './shared.ts';

/** The version of a file that something was taken from. */
export const fileSourceSchema = z.strictObject({
  filename: filenameSchema,
  version: z.int().positive().describe('The version of the file, from 1.'),
});
export type FileSource = z.infer<typeof fileSourceSchema>;

/** A source that has changed since: it was of `from_version`, and search sees `to_version` (null: the file is gone). */
export const staleCauseSchema = z.strictObject({
  filename: filenameSchema,
  from_version: z.int().positive().describe('The version that it was taken from.'),
  to_version: z.int().positive().nullable().describe('The version that search sees; null: the file is gone.'),
});
export type StaleCause = z.infer<typeof staleCauseSchema>;

const staleKindSchema = z.enum(['assumption', 'skeleton_field', 'file_summary']);

/** An entry of the state that rests on a file as it no longer is. */
export const staleItemSchema = z
  .object({
    object: kind('stale_item'),
    kind: staleKindSchema.describe('What kind of entry it is.'),
    id: z.string().describe('Of the assumption, the skeleton field or the file.'),
    text: z.string().describe('The statement, value or summary that may no longer hold.'),
    causes: z
      .array(staleCauseSchema)
      .describe('The files that it was taken from, as they were and as they are; null: deleted.'),
  })
  .meta({ id: 'StaleItem', description: 'An entry of the state that rests on a file as it no longer is.' });
export type StaleItem = z.infer<typeof staleItemSchema>;

/** Something of the state that was in a prompt although a file that it was taken from has changed since. */
export const usedStaleSchema = z.object({
  kind: staleKindSchema.describe('What kind of entry it is.'),
  id: z.string().describe('Of the assumption, the skeleton field or the file.'),
  causes: z
    .array(staleCauseSchema)
    .describe('The files that it was taken from, as they were and as they are.'),
});
export type UsedStale = z.infer<typeof usedStaleSchema>;
