import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { errorOfTurn } from '../../services/turns/events.ts';
import type { SequencedEvent } from '../../services/turns/events-channel.ts';
import type { TurnView } from '../../services/turns/view.ts';
import { problemDocument, problemSchema } from '../plumbing/problems.ts';
import type { ServerEvent } from '../plumbing/sse.ts';
import { routingSchema, turnSchema } from './turn.ts';

/** An event as the contract shows it: a failure is a problem document, with the turn in it. */
export function turnEventView({ seq, type, data }: SequencedEvent, request: FastifyRequest): ServerEvent {
  if (type !== 'turn.failed') return { id: seq, event: type, data };
  const turn = data as TurnView;
  return { id: seq, event: type, data: { ...problemDocument(errorOfTurn(turn), request), turn } };
}

const event = <N extends string, T extends z.ZodType>(name: N, data: T) =>
  z.object({ id: z.int(), event: z.literal(name), data });

/** The stream of a turn, each event as an object of its fields. */
export const turnEventsSchema = z
  .union([
    event('turn.created', turnSchema),
    event('route.decided', routingSchema),
    event('context.assembled', turnSchema.shape.context.unwrap()),
    event('answer.delta', z.object({ text: z.string() })),
    event('tool.called', z.object({ id: z.string(), name: z.string(), input: z.unknown() })),
    event(
      'tool.returned',
      z.object({ id: z.string(), name: z.string(), content: z.string(), is_error: z.boolean() }),
    ),
    event('turn.completed', turnSchema),
    event('turn.failed', problemSchema.extend({ turn: turnSchema })),
    event('turn.cancelled', turnSchema),
  ])
  .meta({
    id: 'TurnEvent',
    description:
      'Server-sent events: each has `id` (its number), `event` and `data` (JSON). They are created, routed, assembled, text and tool calls as they come, and exactly one of `turn.completed`, `turn.failed`, `turn.cancelled` at the end. The texts of `answer.delta`, joined, are the reply as the model wrote it; `turn.completed` has the final one, without markers that resolve to nothing.',
  });
