import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { limitsSchema } from '../contract/limits.ts';
import { listOf } from '../contract/list.ts';
import { minScoreSchema } from '../contract/passage.ts';
import { dryRunSchema, receiptSchema } from '../contract/receipt.ts';
import { sourcesSchema } from '../contract/source.ts';
import { turnSchema } from '../contract/turn.ts';
import { turnEventSchema } from '../contract/turn-event.ts';
import { retrievalOptionSchema } from '../contract/turn-options.ts';
import { AppError } from '../errors.ts';
import type { Scope } from '../scope.ts';
import type { Services } from '../services/services.ts';
import type { StartedTurn } from '../services/turns/runner.ts';
import type { KnownTurn } from '../services/turns/start.ts';
import type { App } from './plumbing/app.ts';
import { type Call, MODEL_ERRORS } from './plumbing/followed.ts';
import { IDEMPOTENCY_ERRORS, idempotencyHeaders, requestKey } from './plumbing/idempotency.ts';
import { problemResponses } from './plumbing/problems.ts';
import { lastEventIdHeaders, wantsEventStream } from './plumbing/sse.ts';
import { takeStreamRoom } from './plumbing/stream-room.ts';
import { turnAnswers } from './plumbing/turn-answers.ts';
import { turnNumberOf, turnParamsSchema } from './plumbing/turn-number.ts';
import { strictly } from './plumbing/validation.ts';
import { pageQuerySchema, projectParamsSchema, projectScope } from './plumbing/wire.ts';

const MAX_MESSAGE = 32_000;

const messageSchema = z
  .strictObject({
    message: z
      .string()
      .max(MAX_MESSAGE)
      .default('')
      .describe(`What the user says, up to ${MAX_MESSAGE} characters.`),
    priming: z
      .boolean()
      .default(false)
      .describe(
        'Open the project without a message: the copilot introduces itself from the state and the files.',
      ),
    retrieval: retrievalOptionSchema
      .default('auto')
      .describe('Whether documents and earlier turns are looked up: as the router says, or as you say.'),
    min_score: minScoreSchema
      .optional()
      .describe(
        'The least confidence of what is looked up for the message; 0 sends the best there is, however little it bears on the message. The floor of search, where you say nothing.',
      ),
    sources: sourcesSchema
      .optional()
      .describe(
        `${sourcesSchema.description} The project alone, where you say nothing. What is learnt from the library is not marked as stale when its file changes.`,
      ),
    limits: strictly(limitsSchema).optional(),
    research: z
      .boolean()
      .optional()
      .describe(
        'Have the research agent answer: in several steps, with read-only tools, without routing and without changing the state. The turn is remembered like any other.',
      ),
    dry_run: z
      .boolean()
      .default(false)
      .describe(
        'Do everything up to the call of the large model, and stop: nothing is stored. Answers with the receipt.',
      ),
  })
  .meta({ examples: [{ message: 'Why do enterprise customers leave?' }] });

const turnUrl = (scope: Scope, turnNumber: number) => `/projects/${scope.projectId}/turns/${turnNumber}`;

const isDryRun = (body: unknown): boolean => (body as z.infer<typeof messageSchema>).dry_run;

/** The turn's events as they come, or the turn when it has ended. */
function answer(services: Services, call: Call, begun: StartedTurn | KnownTurn, status: 200 | 201) {
  const { scope, reply } = call;
  const { turn_number: id, attempt } = begun.turn;
  reply.headers({ location: turnUrl(scope, id), vary: 'accept' });
  return turnAnswers(services).begun({ ...call, id }, { attempt, done: begun.done }, status);
}

function createTurn(app: App, services: Services): void {
  const { turns } = services;
  app.post(
    '/projects/:project_id/turns',
    {
      // a turn takes its key in its own transaction; a dry run makes none
      config: {
        idempotency: (request) => (isDryRun(request.body) ? 'json' : null),
        isExpensive: true,
        spends: 'turn',
        sends: ['Location'],
      },
      schema: {
        operationId: 'createTurn',
        tags: ['turns'],
        summary: 'Say something',
        description:
          'One user message and its reply. The turn is recorded before any model is called, and goes on when the caller leaves; one runs at a time. The answer comes when it has ended, or, with `Accept: text/event-stream`, as events while it happens. With an `Idempotency-Key` a message is taken on once: the same request again attaches to the running turn, is answered with the one that has ended, or tries a failed one again under its number.',
        params: projectParamsSchema,
        headers: idempotencyHeaders.extend(lastEventIdHeaders.shape),
        body: messageSchema,
        response: {
          200: {
            description: 'The receipt of a dry run, or the events of the turn.',
            content: {
              'application/json': { schema: dryRunSchema },
              'text/event-stream': { schema: turnEventSchema },
            },
          },
          201: turnSchema,
          ...problemResponses(
            'project_not_found',
            'turn_in_progress',
            'concurrency_limit',
            'message_too_large',
            'state_too_large',
            'limits_too_low',
            'price_unknown',
            'invalid_json',
            ...IDEMPOTENCY_ERRORS,
            ...MODEL_ERRORS,
          ),
        },
      },
    },
    async (request, reply) => {
      const scope = projectScope(request);
      const { dry_run: dryRun, ...turn } = request.body;
      if (dryRun) return reply.status(200).send(await turns.dryRun(scope, turn));
      if (wantsEventStream(request)) takeStreamRoom(request, reply);
      const begun = await turns.startTurn(scope, turn, requestKey(request));
      return answer(services, { request, reply, scope }, begun, 201);
    },
  );
}

function listTurns(app: App, { turns }: Services): void {
  app.get(
    '/projects/:project_id/turns',
    {
      schema: {
        operationId: 'listTurns',
        tags: ['turns'],
        summary: 'List the turns',
        description: 'In their order, page by page.',
        params: projectParamsSchema,
        querystring: pageQuerySchema,
        response: { 200: listOf(turnSchema), ...problemResponses('project_not_found', 'invalid_cursor') },
      },
    },
    async (request) => turns.listTurns(projectScope(request), request.query),
  );
}

function getTurn(app: App, { turns }: Services): void {
  app.get(
    '/projects/:project_id/turns/:n',
    {
      schema: {
        operationId: 'getTurn',
        tags: ['turns'],
        summary: 'Get a turn',
        description:
          'Message, reply, routing, citations, state changes, usage. Poll it while it is in progress.',
        params: turnParamsSchema,
        response: { 200: turnSchema, ...problemResponses('project_not_found', 'turn_not_found') },
      },
    },
    async (request) => turns.getTurn(projectScope(request), turnNumberOf(request.params)),
  );
}

function getTurnContext(app: App, { turns }: Services): void {
  app.get(
    '/projects/:project_id/turns/:n/context',
    {
      schema: {
        operationId: 'getTurnContext',
        tags: ['turns'],
        summary: 'Read the receipt of a turn',
        description:
          'For ever: every section that was sent to the large model, its tokens, items and scores; what was dropped and why; usage, cost, and the time of each step.',
        params: turnParamsSchema,
        response: {
          200: receiptSchema,
          ...problemResponses('project_not_found', 'turn_not_found', 'content_not_available'),
        },
      },
    },
    async (request) => {
      const receipt = await turns.getContext(projectScope(request), turnNumberOf(request.params));
      if (receipt) return receipt;
      throw new AppError('content_not_available', {
        detail:
          'This turn has no receipt: it is still running, it ended before its context was put together, or the receipt was removed after its time.',
      });
    },
  );
}

function cancelTurn(app: App, { turns }: Services): void {
  app.post(
    '/projects/:project_id/turns/:n/cancel',
    {
      schema: {
        operationId: 'cancelTurn',
        tags: ['turns'],
        summary: 'Cancel a running turn',
        description:
          'Stops it, at once here and within half a second where another instance runs it, and keeps what was said so far. A turn that has ended stays as it is.',
        params: turnParamsSchema,
        response: { 200: turnSchema, ...problemResponses('project_not_found', 'turn_not_found') },
      },
    },
    async (request) => turns.cancelTurn(projectScope(request), turnNumberOf(request.params)),
  );
}

function retryTurn(app: App, services: Services): void {
  const { turns } = services;
  app.post(
    '/projects/:project_id/turns/:n/retry',
    {
      config: { isExpensive: true, spends: 'turn', sends: ['Location'] },
      schema: {
        operationId: 'retryTurn',
        tags: ['turns'],
        summary: 'Retry a failed turn',
        description:
          'Runs a turn that failed or expired again: the same message, the same number. With `Accept: text/event-stream` its events come as they happen; their numbers go on above those of the attempt before, whose events are gone.',
        params: turnParamsSchema,
        headers: idempotencyHeaders.extend(lastEventIdHeaders.shape),
        response: {
          200: {
            description: 'The turn when it has ended, or its events.',
            content: {
              'application/json': { schema: turnSchema },
              'text/event-stream': { schema: turnEventSchema },
            },
          },
          ...problemResponses(
            'project_not_found',
            'turn_not_found',
            'turn_not_retryable',
            'turn_in_progress',
            'concurrency_limit',
            ...IDEMPOTENCY_ERRORS,
            ...MODEL_ERRORS,
          ),
        },
      },
    },
    async (request, reply) => {
      const scope = projectScope(request);
      const number = turnNumberOf(request.params);
      if (wantsEventStream(request)) takeStreamRoom(request, reply);
      const begun = await turns.retryTurn(scope, number, requestKey(request));
      return answer(services, { request, reply, scope }, begun, 200);
    },
  );
}

/** The conversation: talk, read, cancel, retry, and the receipt of each turn. */
export const turnRoutes: FastifyPluginAsyncZod<{ services: Services }> = async (app, { services }) => {
  createTurn(app, services);
  listTurns(app, services);
  getTurn(app, services);
  getTurnContext(app, services);
  cancelTurn(app, services);
  retryTurn(app, services);
};
