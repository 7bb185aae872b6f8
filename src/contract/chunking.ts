import { z } from 'zod';

const tokens = (least: number, most: number) => z.int().min(least).max(most);

/**
 * How a file is cut: `hierarchical` follows its headings and paragraphs (sizes in o200k tokens), `fixed` takes windows
 * of characters with an overlap, whatever stands in them. Needs minimum <= leaf maximum <= parent maximum, and an
 * overlap of at most half a window.
 */
export const chunkingSchema = z.discriminatedUnion('strategy', [
  z
    .strictObject({
      strategy: z.literal('hierarchical').describe('By headings and paragraphs.'),
      leaf_min_tokens: tokens(1, 4_000)
        .default(100)
        .describe('Leaves with fewer tokens are joined with a neighbour where they can be.'),
      leaf_max_tokens: tokens(16, 8_000).default(500).describe('The most tokens of a leaf.'),
      parent_max_tokens: tokens(16, 16_000).default(2_000).describe('The most tokens of a section.'),
    })
    .refine((c) => c.leaf_min_tokens <= c.leaf_max_tokens, {
      path: ['leaf_min_tokens'],
      error: 'must not be over leaf_max_tokens',
    })
    .refine((c) => c.leaf_max_tokens <= c.parent_max_tokens, {
      path: ['leaf_max_tokens'],
      error: 'must not be over parent_max_tokens',
    }),
  z
    .strictObject({
      strategy: z.literal('fixed').describe('By windows of characters.'),
      chunk_chars: z.int().min(100).max(20_000).default(1_500).describe('Characters of a window.'),
      overlap_chars: z
        .int()
        .min(0)
        .max(10_000)
        .default(200)
        .describe('Characters that a window shares with the one before.'),
    })
    .refine((c) => c.overlap_chars * 2 <= c.chunk_chars, {
      path: ['overlap_chars'],
      error: 'must be at most half of chunk_chars',
    }),
]);

export type Chunking = z.infer<typeof chunkingSchema>;
export type HierarchicalChunking = Extract<Chunking, { strategy: 'hierarchical' }>;
export type FixedChunking = Extract<Chunking, { strategy: 'fixed' }>;
