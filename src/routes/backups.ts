import contentDisposition from 'content-disposition';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Services } from '../services/services.ts';
import { problemResponses } from './plumbing/problems.ts';
import { binarySchema } from './plumbing/wire.ts';

/** The whole database out, for whoever runs the service. */
export const backupRoutes: FastifyPluginAsyncZod<{ services: Services }> = async (app, { services }) => {
  app.post(
    '/backup',
    {
      config: { access: 'service', sends: ['Content-Disposition'] },
      schema: {
        operationId: 'createBackup',
        tags: ['service'],
        summary: 'Back up the database',
        description:
          'All workspaces as they are at the moment of the request, as a ZIP archive for `forge restore`, which puts it into an empty database of either kind. The service goes on meanwhile; an embedded database stands still while its folder is copied. It is sent as fast as it is read, and breaks off where it is not read for a minute: what has arrived then is no backup. Originals that are encrypted at rest stay so in it, everything else is readable, and API keys are digests.',
        querystring: z.object({
          cache: z
            .enum(['true', 'false'])
            .default('true')
            .describe(
              'Whether the cache of embeddings goes with it: without, a text that comes back later is embedded again.',
            ),
        }),
        produces: ['application/zip'],
        response: { 200: binarySchema('The backup.'), ...problemResponses('service_unavailable') },
      },
    },
    async (request, reply) => {
      const backup = await services.backups.create({ withCache: request.query.cache === 'true' });
      const day = new Date().toISOString().slice(0, 10);
      return reply
        .headers({
          'content-type': 'application/zip',
          'content-disposition': contentDisposition.create(`forge-${day}.backup`),
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
        })
        .serializer((body: unknown) => body as string)
        .send(backup);
    },
  );
};
