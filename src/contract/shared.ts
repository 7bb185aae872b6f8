import { z } from 'zod';

/** Which kind of object this is. */
export const kind = <Name extends string>(name: Name) => z.literal(name).describe('The kind of object.');

/** The name of a file that something is of. */
export const filenameSchema = z.string().describe('The name of the file.');

/** The version of a file that something is of. */
export const fileVersionSchema = z.int().describe('The version of the file, from 1.');

/** The headings that something stands under. */
export const headerPathSchema = z
  .array(z.string())
  .describe('The headings that it stands under, outermost first.');

/** The page that something begins on. */
export const pageSchema = z.int().nullable().describe('The page, from 1; null where the document has none.');

/** A stretch of a file's Markdown. */
export const charMembers = {
  char_start: z.int().describe("Where it begins in the file's Markdown: UTF-16 code units, from 0."),
  char_end: z.int().describe('Where it ends, exclusive.'),
};

/** Tokens of what is said in the same place. */
export const tokensSchema = z.int().describe('Its length in tokens, as counted here.');

/** The parent of a leaf or a passage. */
export const parentIdSchema = z.string().describe('The id of the section that it belongs to.');

/** The leaf that something stands in. */
export const leafIdSchema = z.string().describe('The id of the leaf.');
