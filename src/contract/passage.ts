import { z } from 'zod';

export const searchModeSchema = z.enum(['hybrid', 'semantic', 'lexical']);
/** How documents and turns are searched. */
export type SearchMode = z.infer<typeof searchModeSchema>;

const searchStrategySchema = z.enum([...searchModeSchema.options, 'lexical_fallback']);
/** How an answer came about. */
export type SearchStrategy = z.infer<typeof searchStrategySchema>;

/** Where one leaf or turn stood in each ranking; ranks from 1, null where that ranking did not have it. */
const rankingSchema = z.object({
  dense_rank: z.int().nullable(),
  dense_score: z.number().nullable().describe('Cosine similarity.'),
  lexical_rank: z.int().nullable(),
  lexical_score: z.number().nullable().describe('BM25.'),
  fused_score: z.number(),
});
export type Ranking = z.infer<typeof rankingSchema>;

/** A parent that a query found. */
const documentPassageSchema = z
  .object({
    object: z.literal('passage'),
    kind: z.literal('document'),
    text: z.string(),
    context_header: z.string(),
    filename: z.string(),
    media_type: z.string(),
    version: z.int(),
    header_path: z.array(z.string()),
    page: z.int().nullable(),
    /** Of its best leaf, 0 to 1. */
    score: z.number(),
    parent_id: z.string(),
    char_start: z.int(),
    char_end: z.int(),
    /** Best first. */
    matched_leaves: z.array(
      z.object({ leaf_id: z.string(), score: z.number(), char_start: z.int(), char_end: z.int() }),
    ),
    explain: z
      .object({
        promoted_by: z.string().describe('The leaf whose score the passage has.'),
        leaves: z.array(rankingSchema.extend({ leaf_id: z.string() })),
      })
      .nullable(),
  })
  .meta({ id: 'DocumentPassage' });
export type DocumentPassage = z.infer<typeof documentPassageSchema>;

/** An earlier exchange that a query found. */
const turnPassageSchema = z
  .object({
    object: z.literal('passage'),
    kind: z.literal('turn'),
    turn_number: z.int(),
    status: z.enum(['completed', 'failed', 'cancelled']),
    probe: z.string().nullable(),
    message: z.string(),
    /** Empty when nothing was said in reply. */
    response: z.string(),
    summary: z.string(),
    score: z.number(),
    explain: rankingSchema.nullable(),
  })
  .meta({ id: 'TurnPassage' });
export type TurnPassage = z.infer<typeof turnPassageSchema>;

/** What a search gives. */
export const searchAnswerSchema = z
  .object({
    object: z.literal('list'),
    data: z.array(z.discriminatedUnion('kind', [documentPassageSchema, turnPassageSchema])),
    strategy: searchStrategySchema.describe(
      '`lexical_fallback`: the embedding provider failed, and full text alone answered.',
    ),
    embedding_model: z.string(),
    latency_ms: z.number(),
    has_more: z.boolean(),
  })
  .meta({ id: 'SearchAnswer' });
export type SearchAnswer = z.infer<typeof searchAnswerSchema>;
