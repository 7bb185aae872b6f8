import { z } from 'zod';
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
    filename: z.string(),
    version: z.int(),
    header_path: z.array(z.string()),
    page: z.int().nullable(),
    char_start: z.int(),
    char_end: z.int(),
    quote: z.string().describe("The file's Markdown from `char_start` to `char_end`."),
    /** Null when the quote lies outside every known leaf. */
    leaf_id: z.string().nullable(),
    parent_id: z.string(),
    claim: z.string().optional().describe('What of the reply the marker stands for.'),
    ...supportMembers,
  })
  .meta({ id: 'Citation' });
export type Citation = z.infer<typeof citationSchema>;

/** What became of a citation in the searchable version of its file. */
export const citationCheckSchema = z
  .object({
    object: z.literal('citation_check'),
    source: sourceSchema,
    filename: z.string(),
    status: z
      .enum(['valid', 'moved', 'changed', 'gone'])
      .describe(
        '`valid`: the words stand where they stood. `moved`: they stand elsewhere, at the offsets given. `changed`: the file is there, the words are not; `section` is where they most likely were. `gone`: the file is not there or has no text.',
      ),
    version: z.int().nullable().describe('The searchable version, which was looked at.'),
    char_start: z.int().nullable(),
    char_end: z.int().nullable(),
    matches: z
      .int()
      .describe('How often the words occur, up to 1,000; the place nearest to the old one counts.'),
    section: z
      .object({
        header_path: z.array(z.string()),
        leaf_id: z.string(),
        parent_id: z.string(),
        char_start: z.int(),
        char_end: z.int(),
      })
      .nullable(),
    ...supportMembers,
  })
  .meta({ id: 'CitationCheck' });
export type CitationCheck = z.infer<typeof citationCheckSchema>;
