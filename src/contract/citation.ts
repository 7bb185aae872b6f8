import { z } from 'zod';
import {
  charMembers,
  filenameSchema,
  fileVersionSchema,
  headerPathSchema,
  kind,
  leafIdSchema,
  pageSchema,
  parentIdSchema,
} from './shared.ts';
import { sourceSchema } from './source.ts';

const supportMembers = {
  support: z
    .enum(['supported', 'unsupported'])
    .optional()
    .describe(
      'Whether the numbers, names and negations of the claim stand in what is cited for it. Words are compared, not meanings: a supported claim can still be wrong.',
    ),
  missing: z.array(z.string()).optional().describe('What of the claim does not stand there.'),
};

/** Where a claim of a reply comes from. */
export const citationSchema = z
  .object({
    marker: z.int().describe('The number in the reply: `[1]`.'),
    source: sourceSchema,
    filename: filenameSchema,
    version: fileVersionSchema,
    header_path: headerPathSchema,
    page: pageSchema,
    ...charMembers,
    quote: z.string().describe("The file's Markdown from `char_start` to `char_end`."),
    /** Null when the quote lies outside every known leaf. */
    leaf_id: z
      .string()
      .nullable()
      .describe('The leaf that holds the quote; null when it lies outside every known leaf.'),
    parent_id: parentIdSchema,
    claim: z.string().optional().describe('What of the reply the marker stands for.'),
    ...supportMembers,
  })
  .meta({ id: 'Citation', description: 'Where a claim of a reply comes from.' });
export type Citation = z.infer<typeof citationSchema>;

/** What became of a citation in the searchable version of its file. */
export const citationCheckSchema = z
  .object({
    object: kind('citation_check'),
    source: sourceSchema,
    filename: filenameSchema,
    status: z
      .enum(['valid', 'moved', 'changed', 'gone'])
      .describe(
        '`valid`: the words stand where they stood. `moved`: they stand elsewhere, at the offsets given. `changed`: the file is there, the words are not; `section` is where they most likely were. `gone`: the file is not there or has no text.',
      ),
    version: z.int().nullable().describe('The searchable version, which was looked at.'),
    char_start: charMembers.char_start
      .nullable()
      .describe('Where the words begin now; null where they are not found.'),
    char_end: charMembers.char_end.nullable().describe('Where they end, exclusive.'),
    matches: z
      .int()
      .describe('How often the words occur, up to 1,000; the place nearest to the old one counts.'),
    section: z
      .object({
        header_path: headerPathSchema,
        leaf_id: leafIdSchema,
        parent_id: parentIdSchema,
        ...charMembers,
      })
      .nullable()
      .describe('Where words that were changed most likely were; null for the other statuses.'),
    ...supportMembers,
  })
  .meta({
    id: 'CitationCheck',
    description: 'What became of a citation in the searchable version of its file.',
  });
export type CitationCheck = z.infer<typeof citationCheckSchema>;
