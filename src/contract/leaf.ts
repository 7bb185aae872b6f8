import { z } from 'zod';
import { charMembers, headerPathSchema, kind, pageSchema, parentIdSchema, tokensSchema } from './shared.ts';

/** What is embedded and searched: a stretch of a file's Markdown. */
export const leafSchema = z
  .object({
    object: kind('leaf'),
    id: z.string().describe('Names the leaf.'),
    parent_id: parentIdSchema,
    leaf_index: z.int().describe('Its place in the file, from 0.'),
    header_path: headerPathSchema,
    context_header: z.string().describe('What is embedded in front of the text: where it stands.'),
    context: z
      .string()
      .nullable()
      .describe(
        'What a model wrote on where it stands: searched with it, and no part of the document. Null where none was written.',
      ),
    text: z.string().describe('The text itself.'),
    ...charMembers,
    page: pageSchema,
    tokens: tokensSchema,
    oversized: z.boolean().describe('One sentence was over the maximum and had to be cut.'),
  })
  .meta({ id: 'Leaf', description: "What is embedded and searched: a stretch of a file's Markdown." });
export type Leaf = z.infer<typeof leafSchema>;
