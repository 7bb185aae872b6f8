import { z } from 'zod';
import type { LeafRecord } from '../../db/documents.ts';

/** A leaf as the contract shows it. */
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

/** @see leafSchema */
export const leafView = (leaf: LeafRecord): z.infer<typeof leafSchema> => ({
  object: 'leaf',
  id: leaf.leafId,
  parent_id: leaf.parentId,
  leaf_index: leaf.leafIndex,
  header_path: leaf.headerPath,
  context_header: leaf.breadcrumb,
  text: leaf.text,
  char_start: leaf.charStart,
  char_end: leaf.charEnd,
  page: leaf.page,
  tokens: leaf.tokens,
  oversized: leaf.oversized,
});
