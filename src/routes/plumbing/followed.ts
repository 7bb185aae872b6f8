import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { AppError } from '../../errors.ts';
import type { Scope } from '../../scope.ts';
import { seqBefore } from '../../services/followed/events-channel.ts';
import type { FollowedEvent, Id, Sequenced } from '../../services/followed/kind.ts';
import { markReplayed } from './idempotency.ts';
import { problemDocument } from './problems.ts';
import { lastEventId, type ServerEvent, sendEventStream, wantsEventStream, whileConnected } from './sse.ts';

/** What may come of work that models do, beside what its own operation may refuse. */
export const MODEL_ERRORS = [
  'too_many_streams',
  'model_rejected',
  'model_unavailable',
  'provider_misconfigured',
  'interrupted',
  'service_unavailable',
] as const;

/** Where the events begin that a follower asks for. */
export const afterEventQuerySchema = z.object({
  after: z.coerce
    .number()
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .optional()
    .describe('The number of the last event that you have; the header `Last-Event-ID` goes before it.'),
});

/** Work that is begun by one request, goes on when its caller leaves, and is followed as events: turns, research runs. */
export interface FollowedWork<I extends Id, E extends FollowedEvent, T extends { attempt: number }> {
  /** Member of a failed event's problem document that has the work itself. */
  member: string;
  /** What made the work of an event fail; null: the event tells of no failure. */
  failureIn(event: E): AppError | null;
  events: {
    follow(scope: Scope, id: I, after: number, signal: AbortSignal): AsyncGenerator<Sequenced<E>>;
    ended(scope: Scope, id: I, signal: AbortSignal): Promise<T>;
    isOver(scope: Scope, id: I, after: number): Promise<boolean>;
  };
}

/** A request that is answered with work of a project. */
export interface Call {
  request: FastifyRequest;
  reply: FastifyReply;
  scope: Scope;
}

/** The same, of one piece of work. */
interface Asked<I> extends Call {
  id: I;
}

/** How work that models do is answered: with its events as they come, or with itself when it has ended. */
export function createFollowedAnswers<I extends Id, E extends FollowedEvent, T extends { attempt: number }>({
  member,
  failureIn,
  events,
}: FollowedWork<I, E, T>) {
  /** An event as it is sent: a failure is a problem document of this request, with the work in it. */
  function toServerEvent(event: Sequenced<E>, request: FastifyRequest): ServerEvent {
    const { seq, type, data } = event;
    const failure = failureIn(event);
    if (!failure) return { id: seq, event: type, data };
    return { id: seq, event: type, data: { ...problemDocument(failure, request), [member]: data } };
  }

  function stream({ request, reply, scope, id }: Asked<I>, after: number) {
    return sendEventStream(request, reply, async function* (signal) {
      for await (const event of events.follow(scope, id, after, signal)) yield toServerEvent(event, request);
    });
  }

  return {
    /**
     * Answers who has begun the work, or asked for what is there under the same idempotency key; it goes on if the caller
     * does not.
     *
     * @param begun `done` is null where the work was begun by another request
     */
    async begun(asked: Asked<I>, begun: { attempt: number; done: Promise<T> | null }, status: 200 | 201) {
      const { request, reply, scope, id } = asked;
      if (begun.done === null) markReplayed(reply);
      if (wantsEventStream(request)) {
        const seen = begun.done === null ? lastEventId(request, undefined) : 0;
        return stream(asked, Math.max(seen, seqBefore(begun.attempt)));
      }
      return reply.status(status).send(await (begun.done ?? events.ended(scope, id, whileConnected(reply))));
    },

    /** Answers who follows it: 204 when nothing comes any more. */
    async followed(asked: Asked<I>, after: number) {
      if (await events.isOver(asked.scope, asked.id, after)) return asked.reply.status(204).send(null);
      return stream(asked, after);
    },
  };
}
