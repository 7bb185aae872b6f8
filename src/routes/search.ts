import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { minScoreSchema, searchAnswerSchema, searchModeSchema } from '../contract/passage.ts';
import { DEFAULT_SOURCES, sourcesSchema } from '../contract/source.ts';
import { libraryScope } from '../scope.ts';
import type { SearchRequest } from '../services/search.ts';
import type { Services } from '../services/services.ts';
import type { App } from './plumbing/app.ts';
import { problemResponses } from './plumbing/problems.ts';
import { projectParamsSchema, projectScope } from './plumbing/wire.ts';

const query = z.string().trim().min(1).max(8_000).describe('What is looked for, in words of any language.');
const options = {
  limit: z.int().min(1).max(50).default(4).describe('At most so many passages.'),
  min_score: minScoreSchema
    .optional()
    .describe(
      'The least confidence of a passage; 0 shows the best there is, however little it bears on the query. Where you say nothing a floor holds that keeps 97 % of the answers of a labelled set.',
    ),
  mode: searchModeSchema.default('hybrid').describe('By meaning and words, by meaning, or by words.'),
  rerank: z
    .boolean()
    .default(true)
    .describe('Let a reranker, where the service has one, put the sections into its order.'),
};
const narrowing = {
  filters: z
    .strictObject({
      filenames: z
        .array(z.string().max(2_000))
        .max(200)
        .default([])
        .describe('Only these files; all, where it is empty.'),
      header_path: z
        .array(z.string().max(2_000))
        .max(10)
        .default([])
        .describe('Headings that the path starts with.'),
      media_types: z
        .array(z.string().max(200))
        .max(20)
        .default([])
        .describe('Only files of these media types.'),
    })
    .prefault({})
    .describe('Where to look.'),
  explain: z.boolean().default(false).describe('Tell the place of each hit in each ranking.'),
};

const librarySearchSchema = z
  .strictObject({ query, ...options, ...narrowing })
  .meta({ examples: [{ query: 'How do others price a pilot?', limit: 4 }] });

const projectSearchSchema = z
  .strictObject({
    query,
    kinds: z
      .array(z.enum(['documents', 'turns']))
      .min(1)
      .default(['documents'])
      .describe('Whether documents are searched, earlier turns, or both.'),
    ...options,
    sources: sourcesSchema.default(DEFAULT_SOURCES),
    ...narrowing,
  })
  .meta({ examples: [{ query: 'Which segment churns most, and why?', limit: 4 }] });

/** A request as the service takes it, but for what is looked for and where. */
function asked({
  min_score: minScore,
  filters,
  ...request
}: z.infer<typeof librarySearchSchema>): Omit<SearchRequest, 'kinds' | 'sources'> {
  return {
    ...request,
    minScore,
    filters: {
      filenames: filters.filenames.map((name) => name.normalize('NFC')),
      headerPath: filters.header_path,
      mediaTypes: filters.media_types,
    },
  };
}

function searchProject(app: App, { search }: Services): void {
  app.post(
    '/projects/:project_id/search',
    {
      config: { access: 'read', isExpensive: true, spends: 'other' },
      schema: {
        operationId: 'search',
        tags: ['search'],
        summary: 'Search documents and turns',
        description:
          'The retrieval that turns use: meaning and words, fused. Leaves are searched, whole sections come back, each with the leaves that matched. What does not bear on the query is left out: `below_floor` says how much, and `min_score` moves the floor. With `explain`, each hit tells its place in each ranking.',
        params: projectParamsSchema,
        body: projectSearchSchema,
        response: {
          200: searchAnswerSchema,
          ...problemResponses('project_not_found', 'invalid_json', 'embeddings_off'),
        },
      },
    },
    async (request) => {
      const { kinds, sources, ...rest } = request.body;
      return search.search(projectScope(request), { ...asked(rest), kinds, sources });
    },
  );
}

function searchLibrary(app: App, { search }: Services): void {
  app.post(
    '/library/search',
    {
      config: { access: 'read', isExpensive: true, spends: 'other' },
      schema: {
        operationId: 'searchLibrary',
        tags: ['library'],
        summary: 'Search the library',
        description:
          'The documents that all projects of the workspace share, searched as those of a project are. Call it for what is known beyond one project; to have both in one ranking, search a project with `sources`. An empty library says so in `detail`.',
        body: librarySearchSchema,
        response: { 200: searchAnswerSchema, ...problemResponses('invalid_json', 'embeddings_off') },
      },
    },
    async (request) =>
      search.search(libraryScope(request.principal.workspaceId), {
        ...asked(request.body),
        kinds: ['documents'],
        sources: ['library'],
      }),
  );
}

/** Search over a project's documents and turns, and over the library. */
export const searchRoutes: FastifyPluginAsyncZod<{ services: Services }> = async (app, { services }) => {
  searchProject(app, services);
  searchLibrary(app, services);
};
