import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { turnEventSchema } from '../contract/turn-event.ts';
import type { Services } from '../services/services.ts';
import { afterEventQuerySchema } from './plumbing/followed.ts';
import { problemResponses } from './plumbing/problems.ts';
import { lastEventId, lastEventIdHeaders } from './plumbing/sse.ts';
import { takeStreamRoom } from './plumbing/stream-room.ts';
import { turnAnswers } from './plumbing/turn-answers.ts';
import { turnNumberOf, turnParamsSchema } from './plumbing/turn-number.ts';
import { projectScope } from './plumbing/wire.ts';

/** The events of a turn for who comes later, or comes back. */
export const turnEventRoutes: FastifyPluginAsyncZod<{ services: Services }> = async (app, { services }) => {
  const { turns } = services;

  app.get(
    '/projects/:project_id/turns/:n/events',
    {
      schema: {
        operationId: 'followTurn',
        tags: ['turns'],
        summary: 'Follow a turn',
        description:
          "The turn's events as server-sent events: those there are, then those that come, to the last one. For a client that reconnects, `Last-Event-ID` (or `after`) leaves out what it has seen; 204 when nothing comes any more. Numbers count from 1 and are the same whenever they are read. Each retry counts on from the next million, and the events of the attempt before are gone: a stream goes on with the `turn.created` of the new attempt. Where the worker of a turn went away, or another ended it, the last event has the highest number of its attempt. What a failed turn had said stays readable here until it is retried.",
        params: turnParamsSchema,
        querystring: afterEventQuerySchema,
        headers: lastEventIdHeaders,
        response: {
          200: {
            description: 'The events.',
            content: { 'text/event-stream': { schema: turnEventSchema } },
          },
          204: z.null().describe('The turn has ended, and you have its last event.'),
          ...problemResponses('project_not_found', 'turn_not_found', 'too_many_streams'),
        },
      },
    },
    async (request, reply) => {
      const scope = projectScope(request);
      const id = turnNumberOf(request.params);
      takeStreamRoom(request, reply);
      const after = lastEventId(request, request.query.after);
      await turns.getTurn(scope, id);
      return turnAnswers(services).followed({ request, reply, scope, id }, after);
    },
  );
};
