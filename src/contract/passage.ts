import { z } from 'zod';
import { sourceSchema } from './source.ts';

export const searchModeSchema = z.enum(['hybrid', 'semantic', 'lexical']);
/** How documents and turns are searched. */
export type SearchMode = z.infer<typeof searchModeSchema>;

const searchStrategySchema = z.enum([...searchModeSchema.options, 'lexical_fallback']);
/** How an answer came about. */
export type SearchStrategy = z.infer<typeof searchStrategySchema>;

const scoreSchema = z
  .number()
  .describe(
    'Confidence that it bears on the query, 0 to 1: the same number means the same in every project, mode and embedding model. Never higher than that of the passage before.',
  );

/** The least confidence of what is shown. */
export const minScoreSchema = z.number().min(0).max(1);

/** What a search that leaves out what does not bear on the query says of it. */
export const floorReportMembers = {
  considered: z.int().describe('Sections, and turns where they were asked for, that were searched.'),
  below_floor: z
    .int()
    .describe('How many of the best were left out because their score is less than `min_score`.'),
  likeliest_file: z
    .string()
    .nullable()
    .describe(
      'The file that bears on the query most likely, however little: where to look when nothing is shown. Null: nothing was found.',
    ),
};

/** Where one leaf or turn stood in each ranking; ranks from 1, null where that ranking did not have it. */
const rankingSchema = z.object({
  dense_rank: z.int().nullable(),
  dense_score: z.number().nullable().describe('Cosine similarity.'),
  lexical_rank: z.int().nullable(),
  lexical_score: z.number().nullable().describe('BM25.'),
  fused_score: z.number().describe('What the order goes by.'),
});
export type Ranking = z.infer<typeof rankingSchema>;

/** A parent that a query found. */
const documentPassageSchema = z
  .object({
    object: z.literal('passage'),
    kind: z.literal('document'),
    source: sourceSchema,
    text: z.string(),
    context_header: z.string(),
    filename: z.string(),
    media_type: z.string(),
    version: z.int(),
    header_path: z.array(z.string()),
    page: z.int().nullable(),
    score: scoreSchema,
    parent_id: z.string(),
    char_start: z.int(),
    char_end: z.int(),
    /** Best first. */
    matched_leaves: z.array(
      z.object({ leaf_id: z.string(), score: z.number(), char_start: z.int(), char_end: z.int() }),
    ),
    explain: z
      .object({
        promoted_by: z.string().describe('The best leaf: the one that the passage was found by.'),
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
    score: scoreSchema,
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
    has_more: z.boolean().describe('More reach `min_score` than `limit` lets through.'),
    detail: z
      .string()
      .nullable()
      .describe('That the library was searched and has nothing to find, and what to do; null otherwise.'),
    min_score: minScoreSchema.describe('The least score of what is shown.'),
    ...floorReportMembers,
  })
  .meta({ id: 'SearchAnswer' });
export type SearchAnswer = z.infer<typeof searchAnswerSchema>;
