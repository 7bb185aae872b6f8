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

export const searchModeSchema = z.enum(['hybrid', 'semantic', 'lexical']);
/** How documents and turns are searched. */
export type SearchMode = z.infer<typeof searchModeSchema>;

const plainStrategySchema = z.enum([...searchModeSchema.options, 'lexical_fallback']);
/** How passages are found, and ordered first. */
export type PlainStrategy = z.infer<typeof plainStrategySchema>;

const reranked = <S extends PlainStrategy>(strategy: S) => `${strategy}+rerank` as const;
const searchStrategySchema = z.enum([
  ...plainStrategySchema.options,
  ...plainStrategySchema.options.map((strategy) => reranked(strategy)),
]);
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

/** What became of the order that a reranker was asked for. */
export const rerankReportSchema = z
  .object({
    model: z.string().describe('The reranker.'),
    outcome: z
      .enum(['done', 'failed', 'timeout', 'paused'])
      .describe(
        '`done`: the order is its. Else the order is that of the search: it failed, was late, or was not asked, since its provider wants a pause or it has just failed more than once.',
      ),
    candidates: z.int().describe('Sections that it was to order.'),
  })
  .meta({ id: 'RerankReport', description: 'What became of the order that a reranker was asked for.' });
export type RerankReport = z.infer<typeof rerankReportSchema>;

/** Where one leaf or turn stood in each ranking; ranks from 1, null where that ranking did not have it. */
const rankingSchema = z.object({
  dense_rank: z.int().nullable().describe('Its place by meaning.'),
  dense_score: z.number().nullable().describe('Cosine similarity.'),
  lexical_rank: z.int().nullable().describe('Its place by words.'),
  lexical_score: z.number().nullable().describe('BM25.'),
  fused_score: z.number().describe('What the order goes by, before a reranker has its say.'),
});
export type Ranking = z.infer<typeof rankingSchema>;

/** A parent that a query found. */
const documentPassageSchema = z
  .object({
    object: kind('passage'),
    kind: z.literal('document').describe('A section of a document.'),
    source: sourceSchema,
    text: z.string().describe('The whole section.'),
    context_header: z.string().describe('Where it stands: file and headings, in a line.'),
    filename: filenameSchema,
    media_type: z.string().describe('Its media type, as its name and its bytes say.'),
    version: fileVersionSchema,
    header_path: headerPathSchema,
    page: pageSchema,
    score: scoreSchema,
    parent_id: parentIdSchema,
    ...charMembers,
    /** Best first. */
    matched_leaves: z
      .array(
        z.object({
          leaf_id: leafIdSchema,
          score: z.number().describe('How well it matched, 0 to 1.'),
          ...charMembers,
        }),
      )
      .describe('The leaves that it was found by, best first.'),
    also_in: z
      .array(
        z.object({
          source: sourceSchema,
          filename: filenameSchema,
          version: fileVersionSchema,
          header_path: headerPathSchema,
          page: pageSchema,
          parent_id: parentIdSchema,
          ...charMembers,
        }),
      )
      .describe('Sections of other files with nearly the same text and the same figures: they count once.'),
    explain: z
      .object({
        promoted_by: z.string().describe('The best leaf: the one that the passage was found by.'),
        leaves: z
          .array(rankingSchema.extend({ leaf_id: leafIdSchema }))
          .describe('All its leaves that were found.'),
        rerank_rank: z
          .int()
          .nullable()
          .describe('Its place by the reranker, from 1; null where none has ordered it.'),
        for_breadth: z
          .boolean()
          .describe(
            'It has its place for its file: the question asks for more than one, and another file had more than half of the places.',
          ),
        rerank_score: z
          .number()
          .nullable()
          .describe('What the reranker gave it; means something else with each model. Null where none has.'),
      })
      .nullable()
      .describe('Where its leaves stood in each ranking; null unless asked for.'),
  })
  .meta({ id: 'DocumentPassage', description: 'A section that a query found.' });
export type DocumentPassage = z.infer<typeof documentPassageSchema>;

/** How the words of a query were read. */
const readingSchema = z
  .object({
    phrases: z
      .array(
        z.object({
          text: z.string().describe('What stands in quotation marks.'),
          is_found: z.boolean().describe('Some section has it word by word; else its words were looked for.'),
        }),
      )
      .describe('What the query quotes. Sections that have it, word by word in any case, come first.'),
    taken_for: z
      .array(
        z.object({
          word: z.string().describe('The word of the query.'),
          taken_for: z.string().describe('The word of the documents that was looked for.'),
        }),
      )
      .describe('Words that no document has, taken for slips of words that are nearly the same.'),
  })
  .meta({
    id: 'QueryReading',
    description: 'How the words of a query were read, where documents are searched.',
  });
export type QueryReading = z.infer<typeof readingSchema>;

/** An earlier exchange that a query found. */
const turnPassageSchema = z
  .object({
    object: kind('passage'),
    kind: z.literal('turn').describe('An earlier turn.'),
    turn_number: z.int().describe('The number of the turn, from 1.'),
    status: z.enum(['completed', 'failed', 'cancelled']).describe('How the turn ended.'),
    probe: z.string().nullable().describe('The probe that it went by; null without one.'),
    message: z.string().describe('What the user said.'),
    /** Empty when nothing was said in reply. */
    response: z.string().describe('The reply; empty when nothing was said.'),
    summary: z.string().describe('What the turn came to.'),
    score: scoreSchema,
    explain: rankingSchema.nullable().describe('Where it stood in each ranking; null unless asked for.'),
  })
  .meta({ id: 'TurnPassage', description: 'An earlier exchange that a query found.' });
export type TurnPassage = z.infer<typeof turnPassageSchema>;

/** What a search gives. */
export const searchAnswerSchema = z
  .object({
    object: kind('list'),
    data: z
      .array(z.discriminatedUnion('kind', [documentPassageSchema, turnPassageSchema]))
      .describe('The passages, best first.'),
    strategy: searchStrategySchema.describe(
      '`lexical_fallback`: the embedding provider failed, or nothing that was searched has a vector yet, and full text alone answered. `+rerank`: a reranker has put the sections into its order.',
    ),
    rerank: rerankReportSchema
      .nullable()
      .describe(
        'Of the sections of documents; null where no reranker is set up, none was wanted, or there was nothing to order.',
      ),
    reading: readingSchema,
    embedding_model: z.string().describe('The model that the query was embedded with.'),
    latency_ms: z.number().describe('How long the search took, in milliseconds.'),
    has_more: z.boolean().describe('More reach `min_score` than `limit` lets through.'),
    vectors_pending: z
      .int()
      .describe(
        'Leaves of the files that were searched that have no vector yet, and were looked for by their words alone. 0 as a rule.',
      ),
    detail: z
      .string()
      .nullable()
      .describe('That the library was searched and has nothing to find, and what to do; null otherwise.'),
    min_score: minScoreSchema.describe('The least score of what is shown.'),
    ...floorReportMembers,
  })
  .meta({ id: 'SearchAnswer', description: 'What a search gives.' });
export type SearchAnswer = z.infer<typeof searchAnswerSchema>;
