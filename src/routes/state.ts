import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { registerSchema, skeletonSchema, stateObjectSchema } from '../contract/state.ts';
import { statePatchSchema } from '../contract/state-patch.ts';
import type { Services } from '../services/services.ts';
import type { App } from './plumbing/app.ts';
import { etagOf, ifMatchAllows, ifMatchHeaders, ifNoneMatchHeaders, isUnchanged } from './plumbing/etag.ts';
import { problemResponses } from './plumbing/problems.ts';
import { projectParamsSchema, projectScope } from './plumbing/wire.ts';

function getState(app: App, { projects }: Services): void {
  app.get(
    '/projects/:project_id/state',
    {
      config: { sends: ['ETag'] },
      schema: {
        operationId: 'getState',
        tags: ['state'],
        summary: 'Get the state',
        description:
          'Organisational context, assumption register, document skeleton, routing, file summaries. The `ETag` names what you read; send it as `If-Match` when you change it, or as `If-None-Match` to be told 304 when nothing changed.',
        params: projectParamsSchema,
        headers: ifNoneMatchHeaders,
        response: {
          200: stateObjectSchema,
          304: z.null().describe('Unchanged.'),
          ...problemResponses('project_not_found'),
        },
      },
    },
    async (request, reply) => {
      const { state, version } = await projects.state(projectScope(request));
      const etag = etagOf(version);
      reply.header('etag', etag);
      if (isUnchanged(request, etag)) return reply.status(304).send(null);
      return { object: 'project_state' as const, ...state };
    },
  );
}

function changeState(app: App, { projects }: Services): void {
  app.patch(
    '/projects/:project_id/state',
    {
      config: { sends: ['ETag'] },
      schema: {
        operationId: 'changeState',
        tags: ['state'],
        summary: 'Change the state',
        description:
          'A JSON Merge Patch (RFC 7396): members replace, null removes, arrays are replaced whole. With `If-Match`, the change is made only if the state is still the one you read; a stale one gets 412. `file_summaries`, `turn_count`, `schema_version` and `routing.conversation_summary` are derived and cannot be written; the summary may be sent back as it was read. A skeleton field takes a string or `{"value": "..."}`; its history is kept.',
        params: projectParamsSchema,
        consumes: ['application/merge-patch+json', 'application/json'],
        headers: ifMatchHeaders,
        body: statePatchSchema,
        response: {
          200: stateObjectSchema,
          ...problemResponses(
            'project_not_found',
            'precondition_failed',
            'dependency_cycle',
            'unknown_field_value',
            'invalid_json',
          ),
        },
      },
    },
    async (request, reply) => {
      const { state, version } = await projects.changeState(projectScope(request), request.body, (current) =>
        ifMatchAllows(request, etagOf(current)),
      );
      reply.header('etag', etagOf(version));
      return { object: 'project_state' as const, ...state };
    },
  );
}

function getAssumptions(app: App, { projects }: Services): void {
  app.get(
    '/projects/:project_id/state/assumptions',
    {
      schema: {
        operationId: 'getAssumptions',
        tags: ['state'],
        summary: 'Get the assumption register',
        description: 'Every assumption with its confidence, impact, status, dependencies and evidence.',
        params: projectParamsSchema,
        response: {
          200: registerSchema,
          ...problemResponses('project_not_found'),
        },
      },
    },
    async (request) => {
      const { state } = await projects.state(projectScope(request));
      return { object: 'assumption_register' as const, data: state.assumptions };
    },
  );
}

function getSkeleton(app: App, { projects }: Services): void {
  app.get(
    '/projects/:project_id/state/skeleton',
    {
      schema: {
        operationId: 'getSkeleton',
        tags: ['state'],
        summary: 'Get the document skeleton',
        description:
          'The named fields that are known so far, each with the turn that set it and its history.',
        params: projectParamsSchema,
        response: {
          200: skeletonSchema,
          ...problemResponses('project_not_found'),
        },
      },
    },
    async (request) => {
      const { state } = await projects.state(projectScope(request));
      return { object: 'skeleton' as const, fields: state.skeleton };
    },
  );
}

/** The structured state of a project: read it, and change it by merge patch. */
export const stateRoutes: FastifyPluginAsyncZod<{ services: Services }> = async (app, { services }) => {
  getState(app, services);
  changeState(app, services);
  getAssumptions(app, services);
  getSkeleton(app, services);
};
