import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { contextsPlanSchema } from '../contract/contexts.ts';
import { fileNamesSchema } from '../contract/file.ts';
import type { Services } from '../services/services.ts';
import type { App } from './plumbing/app.ts';
import { IDEMPOTENCY_ERRORS, idempotencyHeaders } from './plumbing/idempotency.ts';
import type { Place } from './plumbing/place.ts';
import { problemResponses } from './plumbing/problems.ts';

function applyContexts(app: App, { contexts }: Services, place: Place): void {
  app.post(
    `${place.prefix}/files::contexts`,
    {
      config: { idempotency: 'json', isExpensive: true, spends: 'contexts' },
      schema: {
        ...place.operation({
          operationId: 'applyContexts',
          tag: 'files',
          summary: 'Write or remove contexts',
          description:
            'Brings the contexts of files that are there in line with what is set: a model writes those that leaves lack, where the file, its project or the service wants them, and those of files that are to have none are taken away. Leaves that have one are not written again. With `dry_run` nothing is done, and the answer says what it takes: calls, tokens and price. Otherwise the work begins, and `contexts` of each file says how far it is; files are searched meanwhile.',
        }),
        params: place.params,
        headers: idempotencyHeaders,
        body: z
          .strictObject({
            names: fileNamesSchema.optional().describe('The names of the files; without, all.'),
            dry_run: z.boolean().default(false).describe('`true`: only say what it takes.'),
          })
          .meta({ examples: [{ dry_run: true }] }),
        response: {
          200: contextsPlanSchema,
          202: contextsPlanSchema,
          ...problemResponses(
            ...place.missing,
            'file_not_found',
            'contexts_unavailable',
            'invalid_json',
            ...IDEMPOTENCY_ERRORS,
          ),
        },
      },
    },
    async (request, reply) => {
      const { names = null, dry_run: dryRun } = request.body;
      const plan = await contexts.apply(place.scopeOf(request), { names, dryRun });
      return reply.status(dryRun ? 200 : 202).send(plan);
    },
  );
}

/** What a model writes on the leaves of files. */
export const contextRoutes: FastifyPluginAsyncZod<{ services: Services; place: Place }> = async (
  app,
  { services, place },
) => {
  applyContexts(app, services, place);
};
