import { z } from 'zod';

/** What is embedded and searched: a stretch of a file's Markdown. */
export const leafSchema = z
  .object({
    object: z.literal('leaf'),
    id: z.string(),
    parent_id: z.string(),
    leaf_index: z.int(),
    header_path: z.array(z.string()),
    context_header: z.string(),
    text: z.string(),
    char_start: z.int(),
    char_end: z.int(),
    page: z.int().nullable(),
    tokens: z.int(),
    oversized: z.boolean().describe('One sentence was over the maximum and had to be cut.'),
  })
  .meta({ id: 'Leaf' });
export type Leaf = z.infer<typeof leafSchema>;
