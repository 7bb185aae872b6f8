import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { AppError } from '../errors.ts';
import type { Scope } from '../scope.ts';
import type { Services } from '../services/services.ts';
import type { StartedTurn } from '../services/turns/turns.ts';
import { turnView } from '../services/turns/view.ts';
import { problemResponses } from './plumbing/problems.ts';
import { listOf, listView, pageQuerySchema, projectParamsSchema, projectScope } from './plumbing/wire.ts';
import { dryRunSchema, receiptSchema, turnSchema } from './views/turn.ts';

const MAX_MESSAGE = 32_000;

const messageSchema = z
  .object({
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
    retrieval: z
      .enum(['auto', 'always', 'never'])
      .default('auto')
      .describe('Whether documents and earlier turns are looked up: as the router says, or as you say.'),
    dry_run: z
      .boolean()
      .default(false)
      .describe(
        'Do everything up to the call of the large model, and stop: nothing is stored. Answers with the receipt.',
      ),
  })
  .meta({ examples: [{ message: 'Why do enterprise customers leave?' }] });

const turnParamsSchema = projectParamsSchema.extend({
  n: z.string().max(20).describe('The number of the turn, from 1.'),
});

/** A malformed number is one that no turn has. */
function turnNumberOf(params: z.infer<typeof turnParamsSchema>): number {
  const number = /^[1-9]\d{0,8}$/.test(params.n) ? Number(params.n) : null;
  if (number === null) {
    throw new AppError('turn_not_found', {
      detail: `"${params.n}" is not the number of a turn. GET /projects/${params.project_id}/turns lists those there are.`,
    });
  }
  return number;
}

const turnUrl = (scope: Scope, turnNumber: number) => `/projects/${scope.projectId}/turns/${turnNumber}`;

const MODEL_ERRORS = ['model_rejected', 'model_unavailable'] as const;

/** The conversation: talk, read, cancel, retry, and the receipt of each turn. */
export const turnRoutes: FastifyPluginAsyncZod<{ services: Services }> = async (app, { services }) => {
  const { turns } = services;

  /** Waits for the turn's end; it goes on if the caller does not. */
  const ended = async ({ done }: StartedTurn) => turnView(await done);

  app.post(
    '/projects/:project_id/turns',
    {
      schema: {
        operationId: 'createTurn',
        tags: ['turns'],
        summary: 'Say something',
        description:
          'One user message and its reply. The turn is recorded before any model is called, and goes on when the caller leaves; one runs at a time. The answer comes when it has ended.',
        params: projectParamsSchema,
        body: messageSchema,
        response: {
          200: dryRunSchema.describe('The receipt of a dry run.'),
          201: turnSchema,
          ...problemResponses(
            'project_not_found',
            'turn_in_progress',
            'message_too_large',
            'invalid_json',
            ...MODEL_ERRORS,
          ),
        },
      },
    },
    async (request, reply) => {
      const scope = projectScope(request.params);
      const { dry_run: dryRun, ...turn } = request.body;
      if (dryRun) return reply.status(200).send(await turns.dryRun(scope, turn));
      const started = await turns.startTurn(scope, turn);
      reply.header('location', turnUrl(scope, started.turnNumber));
      return reply.status(201).send(await ended(started));
    },
  );

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
    async (request) => listView(await turns.listTurns(projectScope(request.params), request.query), turnView),
  );

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
    async (request) =>
      turnView(await turns.getTurn(projectScope(request.params), turnNumberOf(request.params))),
  );

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
      const receipt = await turns.getContext(projectScope(request.params), turnNumberOf(request.params));
      if (receipt) return receipt as z.infer<typeof receiptSchema>;
      throw new AppError('content_not_available', {
        detail:
          'This turn has no receipt: it is still running, or it ended before its context was put together.',
      });
    },
  );

  app.post(
    '/projects/:project_id/turns/:n/cancel',
    {
      schema: {
        operationId: 'cancelTurn',
        tags: ['turns'],
        summary: 'Cancel a running turn',
        description: 'Stops it and keeps what was said so far. A turn that has ended stays as it is.',
        params: turnParamsSchema,
        response: { 200: turnSchema, ...problemResponses('project_not_found', 'turn_not_found') },
      },
    },
    async (request) =>
      turnView(await turns.cancelTurn(projectScope(request.params), turnNumberOf(request.params))),
  );

  app.post(
    '/projects/:project_id/turns/:n/retry',
    {
      schema: {
        operationId: 'retryTurn',
        tags: ['turns'],
        summary: 'Retry a failed turn',
        description:
          'Runs a turn that failed, was cancelled or expired again: the same message, the same number.',
        params: turnParamsSchema,
        response: {
          200: turnSchema,
          ...problemResponses(
            'project_not_found',
            'turn_not_found',
            'turn_not_retryable',
            'turn_in_progress',
            ...MODEL_ERRORS,
          ),
        },
      },
    },
    async (request) =>
      ended(await turns.retryTurn(projectScope(request.params), turnNumberOf(request.params))),
  );
};
