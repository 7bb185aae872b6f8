import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { projectEventListSchema, streamedEventSchema } from '../contract/project-event.ts';
import type { Services } from '../services/services.ts';
import type { Place } from './plumbing/place.ts';
import { problemResponses } from './plumbing/problems.ts';
import {
  lastEventId,
  lastEventIdHeaders,
  type ServerEvent,
  sendEventStream,
  wantsEventStream,
} from './plumbing/sse.ts';
import { takeStreamRoom } from './plumbing/stream-room.ts';

const querySchema = z.object({
  after: z
    .union([z.literal('now'), z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER)])
    .default(0)
    .describe(
      'The number of the last event that you have; the header `Last-Event-ID` goes before it. Left out: from the oldest that is kept; `now`: what comes from here on.',
    ),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000)
    .default(100)
    .describe('How many at most, 1 to 1,000, as JSON.'),
});

/** Everything that changes in a place, in order. */
export const projectEventRoutes: FastifyPluginAsyncZod<{ services: Services; place: Place }> = async (
  app,
  { services: { eventFeed }, place },
) => {
  app.get(
    `${place.prefix}/events`,
    {
      schema: {
        ...place.operation({
          operationId: 'listEvents',
          tag: 'events',
          summary: 'List or follow what changes',
          description:
            'Everything that changes, in the order in which it was committed, with names, numbers and addresses, nothing of any content. As JSON: the events after a number, oldest first; go on with `last_id`. With `Accept: text/event-stream`: those there are, then those that come, without an end until the project is deleted; a client that reconnects sends `Last-Event-ID` and misses nothing. Events are kept for `RETENTION_FEED_DAYS`: whoever asks for some that are gone is told so, by `is_trimmed` or by a first event `feed.trimmed`.',
        }),
        params: place.params,
        querystring: querySchema,
        headers: lastEventIdHeaders,
        response: {
          200: {
            description: 'The events.',
            content: {
              'application/json': { schema: projectEventListSchema },
              'text/event-stream': { schema: streamedEventSchema },
            },
          },
          ...problemResponses(...place.missing, 'too_many_streams'),
        },
      },
    },
    async (request, reply) => {
      const scope = place.scopeOf(request);
      const { after, limit } = request.query;
      const isFromNow = after === 'now' && !request.headers['last-event-id'];
      const asked = isFromNow ? after : lastEventId(request, after === 'now' ? undefined : after);
      if (!wantsEventStream(request)) {
        return eventFeed.page(scope, await eventFeed.begin(scope, asked), limit);
      }
      takeStreamRoom(request, reply);
      const from = await eventFeed.begin(scope, asked);
      async function* source(signal: AbortSignal): AsyncGenerator<ServerEvent> {
        for await (const event of eventFeed.follow(scope, from, signal)) {
          yield { id: event.id, event: event.type, data: event };
        }
      }
      return sendEventStream(request, reply, source, from);
    },
  );
};
