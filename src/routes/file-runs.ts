import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { fileEventSchema, fileSchema, filesRetriedSchema } from '../contract/file.ts';
import type { Services } from '../services/services.ts';
import type { App } from './plumbing/app.ts';
import { IDEMPOTENCY_ERRORS, idempotencyHeaders } from './plumbing/idempotency.ts';
import { fileParamsOf, type Place } from './plumbing/place.ts';
import { problemResponses } from './plumbing/problems.ts';
import { lastEventId, lastEventIdHeaders, sendEventStream } from './plumbing/sse.ts';
import { takeStreamRoom } from './plumbing/stream-room.ts';
import { fileUrl } from './plumbing/upload-answer.ts';

function retryFile(app: App, { files }: Services, place: Place): void {
  app.post(
    `${place.prefix}/files/:name/retry`,
    {
      config: { idempotency: 'json', isExpensive: true, spends: 'other', sends: ['Location'] },
      schema: {
        ...place.operation({
          operationId: 'retryFile',
          tag: 'files',
          summary: 'Retry a failed file',
          description: 'Ingests the stored bytes again. Only a failed file can be retried.',
        }),
        params: fileParamsOf(place),
        headers: idempotencyHeaders,
        response: {
          202: fileSchema,
          ...problemResponses(
            ...place.missing,
            'file_not_found',
            'file_not_retryable',
            ...IDEMPOTENCY_ERRORS,
          ),
        },
      },
    },
    async (request, reply) => {
      const scope = place.scopeOf(request);
      const file = await files.retry(scope, request.params.name);
      return reply.status(202).header('location', fileUrl(scope, file.name)).send(file);
    },
  );
}

function retryFailedFiles(app: App, { files }: Services, place: Place): void {
  app.post(
    `${place.prefix}/files::retry`,
    {
      config: { idempotency: 'json', isExpensive: true, spends: 'other' },
      schema: {
        ...place.operation({
          operationId: 'retryFailedFiles',
          tag: 'files',
          summary: 'Retry all failed files',
          description:
            'Ingests the stored bytes of every failed file again, or of those that failed in one way: after an outage, say, `code=embedding_unavailable`. Answers at once with their names; an empty list when nothing had failed.',
        }),
        params: place.params,
        querystring: z.object({
          code: z.string().max(100).optional().describe('Only those whose `last_error.code` this is.'),
          retryable: z
            .enum(['true', 'false'])
            .optional()
            .describe('Only those whose failure may (or may not) go away by itself.'),
        }),
        headers: idempotencyHeaders,
        response: {
          202: filesRetriedSchema,
          ...problemResponses(...place.missing, ...IDEMPOTENCY_ERRORS),
        },
      },
    },
    async (request, reply) => {
      const { code, retryable } = request.query;
      const names = await files.retryFailed(place.scopeOf(request), {
        ...(code !== undefined && { code }),
        ...(retryable !== undefined && { retryable: retryable === 'true' }),
      });
      return reply.status(202).send({ object: 'files_retried' as const, count: names.length, names });
    },
  );
}

function cancelFile(app: App, { files }: Services, place: Place): void {
  app.post(
    `${place.prefix}/files/:name/cancel`,
    {
      schema: {
        ...place.operation({
          operationId: 'cancelFile',
          tag: 'files',
          summary: 'Cancel an ingestion',
          description:
            'Ends the ingestion of a queued file or of one in progress. The file is `failed` with the code `cancelled`; its bytes are kept, what was searchable before stays so, the words of a version whose vectors are still coming included, and it can be retried. Whatever the work under way still brings is thrown away. A version that has its vectors already is completed without its summary.',
        }),
        params: fileParamsOf(place),
        response: {
          200: fileSchema,
          ...problemResponses(...place.missing, 'file_not_found', 'file_not_cancellable'),
        },
      },
    },
    async (request) => files.cancel(place.scopeOf(request), request.params.name),
  );
}

function followFile(app: App, { files }: Services, place: Place): void {
  app.get(
    `${place.prefix}/files/:name/events`,
    {
      schema: {
        ...place.operation({
          operationId: 'followFile',
          tag: 'files',
          summary: 'Follow an ingestion',
          description:
            'Server-sent events, each with the file as it then is: `file.progress` at first and whenever something has changed, and at the end one `file.completed` or `file.failed` - or `file.deleted`, with its name only. A client that reconnects after the end gets 204.',
        }),
        params: fileParamsOf(place),
        headers: lastEventIdHeaders,
        response: {
          200: {
            description: 'The events.',
            content: { 'text/event-stream': { schema: fileEventSchema } },
          },
          204: z.null().describe('The ingestion has ended, and you have its last event.'),
          ...problemResponses(...place.missing, 'file_not_found', 'too_many_streams'),
        },
      },
    },
    async (request, reply) => {
      const scope = place.scopeOf(request);
      takeStreamRoom(request, reply);
      const { name } = request.params;
      const seen = lastEventId(request, undefined);
      const { file, events } = await files.follow(scope, name);
      const isOver = file.status === 'completed' || file.status === 'failed';
      if (isOver && Date.parse(file.updated_at) === seen) return reply.status(204).send(null);
      return sendEventStream(request, reply, async function* (signal) {
        for await (const told of events(signal)) {
          const at = told.event === 'file.deleted' ? Date.now() : Date.parse(told.data.updated_at);
          yield { id: at, ...told };
        }
      });
    },
  );
}

/** A file's ingestion: watched, cancelled, done again. */
export const fileRunRoutes: FastifyPluginAsyncZod<{ services: Services; place: Place }> = async (
  app,
  { services, place },
) => {
  retryFile(app, services, place);
  retryFailedFiles(app, services, place);
  cancelFile(app, services, place);
  followFile(app, services, place);
};
