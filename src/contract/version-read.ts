import { z } from 'zod';

/** A stretch of a version's Markdown. */
export const rangeSchema = z
  .object({
    start: z.int().describe('Where it begins, from 0.'),
    end: z.int().describe('Where it ends, exclusive.'),
  })
  .describe('UTF-16 code units into the Markdown, end exclusive.');

/** Which version an answer about sections was read from. */
export const versionMembers = {
  version: z.int().nullable().describe('The version that was read.'),
  version_id: z.string().nullable().describe('The same as one name, file and version.'),
};

/** How current an answer about sections is. */
export const currencyMembers = {
  is_stale: z
    .boolean()
    .describe('A newer version is being read, or could not be read: this is the one before.'),
  detail: z.string().nullable().describe('Why there is nothing, or why it is stale.'),
  retry_after_ms: z
    .int()
    .nullable()
    .describe('When it makes sense to ask again; null: nothing is under way.'),
};
