import contentDisposition from 'content-disposition';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { LeafRecord } from '../db/documents.ts';
import type { Services } from '../services/services.ts';
import { etagOf, isUnchanged } from './plumbing/etag.ts';
import { problemResponses } from './plumbing/problems.ts';
import { fileParamsSchema, listOf, listView, pageQuerySchema, projectScope } from './plumbing/wire.ts';

const leafSchema = z
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

const leafView = (leaf: LeafRecord): z.infer<typeof leafSchema> => ({
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

/** What a document is read as: its original bytes, its Markdown, its leaves. */
export const fileContentRoutes: FastifyPluginAsyncZod<{ services: Services }> = async (app, { services }) => {
  const { files } = services;

  app.get(
    '/projects/:project_id/files/:name/content',
    {
      schema: {
        operationId: 'getFileContent',
        tags: ['files'],
        summary: 'Download the original',
        description:
          'The bytes of the newest upload exactly as they came, whether or not they could be read.',
        params: fileParamsSchema,
        produces: ['application/octet-stream'],
        response: {
          200: z.any().describe('The bytes.'),
          304: z.null().describe('Unchanged.'),
          ...problemResponses('project_not_found', 'file_not_found'),
        },
      },
    },
    async (request, reply) => {
      const { bytes, mediaType, sha256, name } = await files.original(
        projectScope(request.params),
        request.params.name,
      );
      const etag = etagOf(sha256);
      reply.header('etag', etag);
      if (isUnchanged(request, etag)) return reply.status(304).send(null);
      return reply
        .header('content-type', mediaType)
        .header('content-disposition', contentDisposition.create(name))
        .header('x-content-type-options', 'nosniff')
        .serializer((body: unknown) => body as string)
        .send(bytes);
    },
  );

  app.get(
    '/projects/:project_id/files/:name/markdown',
    {
      schema: {
        operationId: 'getFileMarkdown',
        tags: ['files'],
        summary: 'Read it as Markdown',
        description:
          'What the document became: the text that sections, leaves and citations have their character ranges in. `version` reads an earlier one.',
        params: fileParamsSchema,
        querystring: z.object({ version: z.coerce.number().int().min(1).optional() }),
        produces: ['text/markdown'],
        response: {
          200: z.string(),
          ...problemResponses('project_not_found', 'file_not_found', 'content_not_available'),
        },
      },
    },
    async (request, reply) => {
      const { params, query } = request;
      const { markdown, version } = await files.markdown(projectScope(params), params.name, query.version);
      return reply
        .header('content-type', 'text/markdown; charset=utf-8')
        .header('x-file-version', String(version))
        .header('x-content-type-options', 'nosniff')
        .serializer((body: unknown) => body as string)
        .send(markdown);
    },
  );

  app.get(
    '/projects/:project_id/files/:name/leaves',
    {
      schema: {
        operationId: 'listLeaves',
        tags: ['files'],
        summary: 'List the leaves',
        description:
          'What is embedded and searched, in document order, each with its exact range in the Markdown.',
        params: fileParamsSchema,
        querystring: pageQuerySchema,
        response: {
          200: listOf(leafSchema),
          ...problemResponses('project_not_found', 'file_not_found', 'invalid_cursor'),
        },
      },
    },
    async (request) => {
      const { params, query } = request;
      return listView(await files.leaves(projectScope(params), params.name, query), leafView);
    },
  );
};
