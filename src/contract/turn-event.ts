import { z } from 'zod';
import { problemSchema } from './problem.ts';
import { contextDigestSchema } from './receipt.ts';
import { routingSchema } from './routing.ts';
import { turnSchema } from './turn.ts';

/** What each event of a turn tells, as it happens and as it is stored. */
export const turnEventData = {
  'turn.created': turnSchema,
  'route.decided': routingSchema,
  'context.assembled': contextDigestSchema,
  'reasoning.delta': z.object({ text: z.string() }),
  'answer.delta': z.object({ text: z.string() }),
  'answer.reset': z.object({ reason: z.literal('superseded') }),
  'tool.called': z.object({ id: z.string(), name: z.string(), input: z.unknown() }),
  'tool.returned': z.object({ id: z.string(), name: z.string(), content: z.string(), is_error: z.boolean() }),
  'turn.completed': turnSchema,
  'turn.failed': turnSchema,
  'turn.cancelled': turnSchema,
} as const;

type EventData = { [Type in keyof typeof turnEventData]: z.infer<(typeof turnEventData)[Type]> };

/** What a turn tells while it runs; the last event is `turn.completed`, `turn.failed` or `turn.cancelled`. */
export type TurnEvent = { [Type in keyof EventData]: { type: Type; data: EventData[Type] } }[keyof EventData];

// a problem names the request that it answers: it is made of the failed turn when it is sent
const shown = { ...turnEventData, 'turn.failed': problemSchema.extend({ turn: turnSchema }) };

/** The stream of a turn, each event as an object of its fields. */
export const turnEventSchema = z
  .union(Object.entries(shown).map(([name, data]) => z.object({ id: z.int(), event: z.literal(name), data })))
  .meta({
    id: 'TurnEvent',
    description:
      'Server-sent events: each has `id` (its number), `event` and `data` (JSON). They are created, routed, assembled, thoughts, text and tool calls as they come, and exactly one of `turn.completed`, `turn.failed`, `turn.cancelled` at the end. The texts of `answer.delta` since the last `answer.reset`, joined, are the reply as the model wrote it: a text in front of tool calls is superseded by the one after them, and `answer.reset` comes in front of that one, so that what was shown can be taken back; `turn.completed` has the final one, without markers that resolve to nothing. The texts of `reasoning.delta` are what a model that thinks shows of its thoughts, in its own summary: they are no part of the reply, and many replies have none.',
  });
