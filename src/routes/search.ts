import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { LeafExplanation, Passage, RecalledTurn } from '../retrieval/passage.ts';
import type { Services } from '../services/services.ts';
import { problemResponses } from './plumbing/problems.ts';
import { projectParamsSchema, projectScope } from './plumbing/wire.ts';

const rankingSchema = z.object({
  dense_rank: z.int().nullable(),
  dense_score: z.number().nullable().describe('Cosine similarity.'),
  lexical_rank: z.int().nullable(),
  lexical_score: z.number().nullable().describe('BM25.'),
  fused_score: z.number(),
});

const passageSchema = z
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
    score: z.number(),
    parent_id: z.string(),
    char_start: z.int(),
    char_end: z.int(),
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

const turnPassageSchema = z
  .object({
    object: z.literal('passage'),
    kind: z.literal('turn'),
    turn_number: z.int(),
    status: z.enum(['completed', 'failed', 'cancelled']),
    probe: z.string().nullable(),
    message: z.string(),
    response: z.string(),
    summary: z.string(),
    score: z.number(),
    explain: rankingSchema.nullable(),
  })
  .meta({ id: 'TurnPassage' });

const requestSchema = z
  .object({
    query: z.string().trim().min(1).max(8_000),
    kinds: z
      .array(z.enum(['documents', 'turns']))
      .min(1)
      .default(['documents']),
    limit: z.int().min(1).max(50).default(4),
    mode: z.enum(['hybrid', 'semantic', 'lexical']).default('hybrid'),
    sources: z
      .array(z.enum(['project']))
      .min(1)
      .default(['project']),
    filters: z
      .object({
        filenames: z.array(z.string().max(2_000)).max(200).default([]),
        header_path: z
          .array(z.string().max(2_000))
          .max(10)
          .default([])
          .describe('Headings that the path starts with.'),
        media_types: z.array(z.string().max(200)).max(20).default([]),
      })
      .prefault({}),
    explain: z.boolean().default(false),
  })
  .meta({ examples: [{ query: 'Which segment churns most, and why?', limit: 4 }] });

const answerSchema = z
  .object({
    object: z.literal('list'),
    data: z.array(z.discriminatedUnion('kind', [passageSchema, turnPassageSchema])),
    strategy: z
      .enum(['hybrid', 'semantic', 'lexical', 'lexical_fallback'])
      .describe('`lexical_fallback`: the embedding provider failed, and full text alone answered.'),
    embedding_model: z.string(),
    latency_ms: z.number(),
    has_more: z.boolean(),
  })
  .meta({ id: 'SearchAnswer' });

const ranking = (explanation: Omit<LeafExplanation, 'leafId'>) => ({
  dense_rank: explanation.denseRank,
  dense_score: explanation.denseScore,
  lexical_rank: explanation.lexicalRank,
  lexical_score: explanation.lexicalScore,
  fused_score: explanation.fusedScore,
});

const passageView = (passage: Passage): z.infer<typeof passageSchema> => ({
  object: 'passage',
  kind: 'document',
  text: passage.text,
  context_header: passage.contextHeader,
  filename: passage.filename,
  media_type: passage.mediaType,
  version: passage.version,
  header_path: passage.headerPath,
  page: passage.page,
  score: passage.score,
  parent_id: passage.parentId,
  char_start: passage.charStart,
  char_end: passage.charEnd,
  matched_leaves: passage.matchedLeaves.map((leaf) => ({
    leaf_id: leaf.leafId,
    score: leaf.score,
    char_start: leaf.charStart,
    char_end: leaf.charEnd,
  })),
  explain: passage.explain && {
    promoted_by: passage.explain.promotedBy,
    leaves: passage.explain.leaves.map((leaf) => ({ leaf_id: leaf.leafId, ...ranking(leaf) })),
  },
});

const turnView = (turn: RecalledTurn): z.infer<typeof turnPassageSchema> => ({
  object: 'passage',
  kind: 'turn',
  turn_number: turn.turnNumber,
  status: turn.status,
  probe: turn.probe,
  message: turn.message,
  response: turn.response,
  summary: turn.summary,
  score: turn.score,
  explain: turn.explain && ranking(turn.explain),
});

/** Search over a project's documents and turns. */
export const searchRoutes: FastifyPluginAsyncZod<{ services: Services }> = async (app, { services }) => {
  app.post(
    '/projects/:project_id/search',
    {
      schema: {
        operationId: 'search',
        tags: ['search'],
        summary: 'Search documents and turns',
        description:
          'The retrieval that turns use: meaning and words, fused. Leaves are searched, whole sections come back, each with the leaves that matched. With `explain`, each hit tells its place in each ranking.',
        params: projectParamsSchema,
        body: requestSchema,
        response: { 200: answerSchema, ...problemResponses('project_not_found', 'invalid_json') },
      },
    },
    async (request) => {
      const { query, kinds, limit, mode, filters, explain } = request.body;
      const answer = await services.search.search(projectScope(request.params), {
        query,
        kinds,
        limit,
        mode,
        explain,
        filters: {
          filenames: filters.filenames.map((name) => name.normalize('NFC')),
          headerPath: filters.header_path,
          mediaTypes: filters.media_types,
        },
      });
      return {
        object: 'list' as const,
        data: [...answer.passages.map(passageView), ...answer.turns.map(turnView)],
        strategy: answer.strategy,
        embedding_model: answer.embeddingModel,
        latency_ms: answer.latencyMs,
        has_more: answer.hasMore,
      };
    },
  );
};
