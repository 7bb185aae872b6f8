import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { listOf } from '../contract/list.ts';
import { researchLimitsSchema, researchRunSchema } from '../contract/research.ts';
import { type ResearchEvent, researchEventSchema } from '../contract/research-event.ts';
import { sourcesSchema } from '../contract/source.ts';
import { SOURCES } from '../scope.ts';
import { errorOfRun } from '../services/research/events.ts';
import type { StartedRun } from '../services/research/research.ts';
import type { Services } from '../services/services.ts';
import type { App } from './plumbing/app.ts';
import {
  afterEventQuerySchema,
  type Call,
  createFollowedAnswers,
  MODEL_ERRORS,
} from './plumbing/followed.ts';
import { IDEMPOTENCY_ERRORS, idempotencyHeaders, requestKey } from './plumbing/idempotency.ts';
import { problemResponses } from './plumbing/problems.ts';
import { lastEventId, lastEventIdHeaders, wantsEventStream } from './plumbing/sse.ts';
import { takeStreamRoom } from './plumbing/stream-room.ts';
import { strictly } from './plumbing/validation.ts';
import { pageQuerySchema, projectParamsSchema, projectScope } from './plumbing/wire.ts';

const MAX_QUESTION = 8_000;

const runParamsSchema = projectParamsSchema.extend({
  run_id: z.string().max(200).describe('The id of the run.'),
});

const questionSchema = z
  .strictObject({
    question: z.string().trim().min(1).max(MAX_QUESTION).describe('What is to be found out.'),
    sources: sourcesSchema
      .default([...SOURCES])
      .describe("Where it may look: in the project's files, in the library, or in both."),
    files: z
      .array(z.string().min(1).max(2_000))
      .max(20)
      .default([])
      .describe('The files that the question means: the choice among the `candidates` of an earlier run.'),
    limits: strictly(researchLimitsSchema).optional(),
  })
  .meta({
    examples: [
      { question: 'Using my problem statement, find three relevant policy solutions in the knowledge base.' },
    ],
  });

const runAnswers = ({ researchEvents: events }: Services) =>
  createFollowedAnswers({
    member: 'run',
    failureIn: (event: ResearchEvent) => (event.type === 'run.failed' ? errorOfRun(event.data) : null),
    events,
  });

/** The run's events as they come, or the run when it has ended. */
function answer(services: Services, call: Call, begun: StartedRun, status: 200 | 201) {
  const { scope, reply } = call;
  const { id, attempt } = begun.run;
  reply.headers({ location: `/projects/${scope.projectId}/research/${id}`, vary: 'accept' });
  return runAnswers(services).begun({ ...call, id }, { attempt, done: begun.done }, status);
}

function startResearch(app: App, services: Services): void {
  const { research } = services;
  app.post(
    '/projects/:project_id/research',
    {
      config: { isExpensive: true, spends: 'research', sends: ['Location'] },
      schema: {
        operationId: 'startResearch',
        tags: ['research'],
        summary: 'Ask a question that takes several steps',
        description:
          'An agent lists, searches, walks and summarises documents with read-only tools until it can answer, in a few steps at most. It reads only what the question calls for. Where the question can mean several files (`my brief`), it ends as `needs_clarification` with the candidates before anything is read: ask again with `files`. The run is recorded before any model is called and goes on when the caller leaves; several may run at a time. The answer comes when it has ended or, with `Accept: text/event-stream`, as events: thoughts, actions, the answer. For a question within the conversation, a turn is the better place.',
        params: projectParamsSchema,
        headers: idempotencyHeaders.extend(lastEventIdHeaders.shape),
        body: questionSchema,
        response: {
          200: {
            description: 'The events of the run.',
            content: { 'text/event-stream': { schema: researchEventSchema } },
          },
          201: researchRunSchema,
          ...problemResponses(
            'project_not_found',
            'limits_too_low',
            'price_unknown',
            'concurrency_limit',
            'invalid_json',
            ...IDEMPOTENCY_ERRORS,
            ...MODEL_ERRORS,
          ),
        },
      },
    },
    async (request, reply) => {
      const scope = projectScope(request);
      if (wantsEventStream(request)) takeStreamRoom(request, reply);
      const begun = await research.start(scope, request.body, requestKey(request));
      return answer(services, { request, reply, scope }, begun, 201);
    },
  );
}

function readResearch(app: App, { research }: Services): void {
  app.get(
    '/projects/:project_id/research',
    {
      schema: {
        operationId: 'listResearch',
        tags: ['research'],
        summary: 'List the research runs',
        description: 'In the order in which they were asked for, page by page.',
        params: projectParamsSchema,
        querystring: pageQuerySchema,
        response: {
          200: listOf(researchRunSchema),
          ...problemResponses('project_not_found', 'invalid_cursor'),
        },
      },
    },
    async (request) => research.list(projectScope(request), request.query),
  );

  app.get(
    '/projects/:project_id/research/:run_id',
    {
      schema: {
        operationId: 'getResearch',
        tags: ['research'],
        summary: 'Get a research run',
        description:
          'Question, answer, every step with what the tool gave, citations, usage. Poll it while it is in progress.',
        params: runParamsSchema,
        response: { 200: researchRunSchema, ...problemResponses('project_not_found', 'run_not_found') },
      },
    },
    async (request) => research.get(projectScope(request), request.params.run_id),
  );
}

function cancelResearch(app: App, { research }: Services): void {
  app.post(
    '/projects/:project_id/research/:run_id/cancel',
    {
      schema: {
        operationId: 'cancelResearch',
        tags: ['research'],
        summary: 'Cancel a research run',
        description:
          'Stops it, at once here and within half a second where another instance works on it; its steps and what it had said are kept. A run that has ended stays as it is.',
        params: runParamsSchema,
        response: { 200: researchRunSchema, ...problemResponses('project_not_found', 'run_not_found') },
      },
    },
    async (request) => research.cancel(projectScope(request), request.params.run_id),
  );
}

function retryResearch(app: App, services: Services): void {
  const { research } = services;
  app.post(
    '/projects/:project_id/research/:run_id/retry',
    {
      config: { isExpensive: true, spends: 'research', sends: ['Location'] },
      schema: {
        operationId: 'retryResearch',
        tags: ['research'],
        summary: 'Retry a failed research run',
        description:
          'Takes a run that failed or expired up again: the same question under the same id. The numbers of its events go on above those of the attempt before, whose events are gone.',
        params: runParamsSchema,
        headers: idempotencyHeaders.extend(lastEventIdHeaders.shape),
        response: {
          200: {
            description: 'The run when it has ended, or its events.',
            content: {
              'application/json': { schema: researchRunSchema },
              'text/event-stream': { schema: researchEventSchema },
            },
          },
          ...problemResponses(
            'project_not_found',
            'run_not_found',
            'run_not_retryable',
            'concurrency_limit',
            ...IDEMPOTENCY_ERRORS,
            ...MODEL_ERRORS,
          ),
        },
      },
    },
    async (request, reply) => {
      const scope = projectScope(request);
      if (wantsEventStream(request)) takeStreamRoom(request, reply);
      const begun = await research.retry(scope, request.params.run_id, requestKey(request));
      return answer(services, { request, reply, scope }, begun, 200);
    },
  );
}

function followResearch(app: App, services: Services): void {
  const { research } = services;
  app.get(
    '/projects/:project_id/research/:run_id/events',
    {
      schema: {
        operationId: 'followResearch',
        tags: ['research'],
        summary: 'Follow a research run',
        description:
          "The run's events as server-sent events: those there are, then those that come, to the last one. `Last-Event-ID` (or `after`) leaves out what you have seen; 204 when nothing comes any more. Numbers are the same whenever they are read.",
        params: runParamsSchema,
        querystring: afterEventQuerySchema,
        headers: lastEventIdHeaders,
        response: {
          200: {
            description: 'The events.',
            content: { 'text/event-stream': { schema: researchEventSchema } },
          },
          204: z.null().describe('The run has ended, and you have its last event.'),
          ...problemResponses('project_not_found', 'run_not_found', 'too_many_streams'),
        },
      },
    },
    async (request, reply) => {
      const scope = projectScope(request);
      takeStreamRoom(request, reply);
      const { run_id: id } = request.params;
      const after = lastEventId(request, request.query.after);
      await research.get(scope, id);
      return runAnswers(services).followed({ request, reply, scope, id }, after);
    },
  );
}

/** The research agent: ask, read, follow, cancel, retry. */
export const researchRoutes: FastifyPluginAsyncZod<{ services: Services }> = async (app, { services }) => {
  startResearch(app, services);
  readResearch(app, services);
  followResearch(app, services);
  cancelResearch(app, services);
  retryResearch(app, services);
};
