import { z } from 'zod';
import { filenameSchema, headerPathSchema, kind, pageSchema } from './shared.ts';
import { currencyMembers, versionMembers } from './version-read.ts';

const sectionPointerSchema = z
  .object({
    chunk_id: z.string().describe('The leaf that matched.'),
    pointer_id: z
      .string()
      .describe(
        'Reads the section it stands in or, where that is longer than 2,000 tokens, the chunk itself.',
      ),
    score: z.number().describe('Confidence, 0 to 1.'),
    preview: z.string().describe('One line, from where the words of the query stand.'),
    token_estimate: z.int().describe('Of what the pointer leads to.'),
    page: pageSchema,
    outline_context: z
      .object({
        node_id: z.string().describe('Of its node in the outline.'),
        pointer_id: z.string().describe('Reads the section.'),
        level: z.int().describe('Its heading level, from 1.'),
        text: z.string().describe('Its heading.'),
        header_path: headerPathSchema,
        token_estimate: z.int().describe('Tokens of the whole section.'),
      })
      .nullable()
      .describe('The section: where it stands in the outline.'),
  })
  .meta({ id: 'SectionPointer', description: 'A section that a query found, to be read by its pointer.' });
export type SectionPointer = z.infer<typeof sectionPointerSchema>;

/** What a search for the sections of a file gives. */
export const sectionsSchema = z
  .object({
    object: kind('sections'),
    filename: filenameSchema,
    state: z
      .enum(['ready', 'stale', 'pending', 'unsupported_format', 'offline_fallback', 'offline_no_results'])
      .describe('`offline_…`: the query could not be embedded, and words and headings alone were gone by.'),
    ...currencyMembers,
    ...versionMembers,
    latency_ms: z.number().describe('How long the search took, in milliseconds.'),
    strategy: z.enum(['hybrid', 'fallback', 'none']).describe('`none`: there is nothing to search yet.'),
    pointers: z.array(sectionPointerSchema).describe('Best first, each section once.'),
  })
  .meta({ id: 'Sections', description: 'What a search for the sections of a file gives.' });
export type Sections = z.infer<typeof sectionsSchema>;
