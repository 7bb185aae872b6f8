import { Readable } from 'node:stream';
import contentDisposition from 'content-disposition';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { fidelityReportSchema } from '../contract/fidelity.ts';
import { leafSchema } from '../contract/leaf.ts';
import { listOf } from '../contract/list.ts';
import { AppError } from '../errors.ts';
import type { Services } from '../services/services.ts';
import type { App } from './plumbing/app.ts';
import { etagOf, ifNoneMatchHeaders, isUnchanged } from './plumbing/etag.ts';
import { fileParamsOf, type Place } from './plumbing/place.ts';
import { problemResponses } from './plumbing/problems.ts';
import { rangeHeaders, requestedRange } from './plumbing/ranges.ts';
import { binarySchema, pageQuerySchema } from './plumbing/wire.ts';

const versionQuerySchema = z.object({
  version: z.coerce.number().int().min(1).max(2_147_483_647).optional().describe('An earlier version.'),
});

const NOTHING_TO_READ = ['file_not_found', 'content_not_available'] as const;

function getFileContent(app: App, { files }: Services, place: Place): void {
  app.get(
    `${place.prefix}/files/:name/content`,
    {
      config: {
        sends: ['ETag', 'X-File-Version', 'Accept-Ranges', 'Content-Range', 'Content-Disposition'],
      },
      schema: {
        ...place.operation({
          operationId: 'getFileContent',
          tag: 'files',
          summary: 'Download the original',
          description:
            'The bytes of the newest upload exactly as they came, whether or not they could be read; `version` reads an earlier one. A single `Range` of bytes is honoured.',
        }),
        params: fileParamsOf(place),
        querystring: versionQuerySchema,
        headers: ifNoneMatchHeaders.extend(rangeHeaders.shape),
        // the type that the file was found to have
        produces: ['*/*'],
        response: {
          200: binarySchema('The bytes.'),
          206: binarySchema('The bytes of the range.'),
          304: z.null().describe('Unchanged.'),
          ...problemResponses(
            ...place.missing,
            ...NOTHING_TO_READ,
            'range_not_satisfiable',
            'encryption_key_missing',
          ),
        },
      },
    },
    async (request, reply) => {
      const scope = place.scopeOf(request);
      const original = await files.original(scope, request.params.name, request.query.version);
      const size = original.byteLength;
      const etag = etagOf(original.sha256);
      reply.headers({
        etag,
        'accept-ranges': 'bytes',
        'x-file-version': original.version,
        'x-content-type-options': 'nosniff',
      });
      if (isUnchanged(request, etag)) return reply.status(304).send(null);
      // RFC 9110, 14.2: a range is defined for GET only
      const isHead = request.method === 'HEAD';
      const range = isHead ? null : requestedRange(request, size, etag);
      if (range === 'unsatisfiable') {
        reply.header('content-range', `bytes */${size}`);
        throw new AppError('range_not_satisfiable', { detail: `"${original.name}" has ${size} bytes.` });
      }
      const { start, end } = range ?? { start: 0, end: size };
      if (range) reply.status(206).header('content-range', `bytes ${start}-${end - 1}/${size}`);
      return reply
        .headers({
          'content-type': original.mediaType,
          'content-disposition': contentDisposition.create(original.name),
          'content-length': end - start,
        })
        .serializer((body: unknown) => body as string)
        .send(
          Readable.from(isHead ? [] : files.bytes(scope, original, { start, end }), { objectMode: false }),
        );
    },
  );
}

function getFileMarkdown(app: App, { files }: Services, place: Place): void {
  app.get(
    `${place.prefix}/files/:name/markdown`,
    {
      config: { sends: ['ETag', 'X-File-Version'] },
      schema: {
        ...place.operation({
          operationId: 'getFileMarkdown',
          tag: 'files',
          summary: 'Read it as Markdown',
          description:
            'What the document became: the text that sections, leaves and citations have their character ranges in. `version` reads an earlier one.',
        }),
        params: fileParamsOf(place),
        querystring: versionQuerySchema,
        headers: ifNoneMatchHeaders,
        produces: ['text/markdown'],
        response: {
          200: z.string().describe('The Markdown.'),
          304: z.null().describe('Unchanged.'),
          ...problemResponses(...place.missing, ...NOTHING_TO_READ),
        },
      },
    },
    async (request, reply) => {
      const { params, query } = request;
      const scope = place.scopeOf(request);
      const { length, version, etag: tag } = await files.markdownFacts(scope, params.name, query.version);
      const etag = etagOf(tag);
      reply.headers({ etag, 'x-file-version': version, 'x-content-type-options': 'nosniff' });
      if (isUnchanged(request, etag)) return reply.status(304).send(null);
      reply
        .headers({ 'content-type': 'text/markdown; charset=utf-8', 'content-length': length })
        .serializer((body: unknown) => body as string);
      if (request.method === 'HEAD') return reply.send(Readable.from([], { objectMode: false }) as never);
      return reply.send(await files.markdown(scope, params.name, version));
    },
  );
}

function getFileFidelity(app: App, { files }: Services, place: Place): void {
  app.get(
    `${place.prefix}/files/:name/fidelity`,
    {
      schema: {
        ...place.operation({
          operationId: 'getFileFidelity',
          tag: 'files',
          summary: 'Read the fidelity report',
          description:
            'What the conversion of the newest version that was converted kept and lost, also where the file failed as `low_fidelity`; `version` reads an earlier one.',
        }),
        params: fileParamsOf(place),
        querystring: versionQuerySchema,
        response: {
          200: fidelityReportSchema,
          ...problemResponses(...place.missing, ...NOTHING_TO_READ),
        },
      },
    },
    async (request) => {
      const { params, query } = request;
      return files.fidelity(place.scopeOf(request), params.name, query.version);
    },
  );
}

function listLeaves(app: App, { files }: Services, place: Place): void {
  app.get(
    `${place.prefix}/files/:name/leaves`,
    {
      schema: {
        ...place.operation({
          operationId: 'listLeaves',
          tag: 'files',
          summary: 'List the leaves',
          description:
            'What is embedded and searched, in document order, each with its exact range in the Markdown.',
        }),
        params: fileParamsOf(place),
        querystring: pageQuerySchema,
        response: {
          200: listOf(leafSchema),
          ...problemResponses(...place.missing, 'file_not_found', 'invalid_cursor'),
        },
      },
    },
    async (request) => {
      const { params, query } = request;
      return files.leaves(place.scopeOf(request), params.name, query);
    },
  );
}

/** What a document is read as: its original bytes, its Markdown, its fidelity report, its leaves. */
export const fileContentRoutes: FastifyPluginAsyncZod<{ services: Services; place: Place }> = async (
  app,
  { services, place },
) => {
  getFileContent(app, services, place);
  getFileMarkdown(app, services, place);
  getFileFidelity(app, services, place);
  listLeaves(app, services, place);
};
