import { z } from 'zod';
import { eventSchema } from './event.ts';
import { problemSchema } from './problem.ts';
import { contextDigestSchema } from './receipt.ts';
import { routingSchema } from './routing.ts';
import { turnSchema } from './turn.ts';

const callMembers = {
  id: z.string().describe('Of the call: the same in `tool.called` and `tool.returned`.'),
  name: z.string().describe('Of the tool.'),
};

/** What each event of a turn tells, as it happens and as it is stored. */
export const turnEventData = {
  'turn.created': turnSchema,
  'route.decided': routingSchema,
  'context.assembled': contextDigestSchema,
  'reasoning.delta': z.object({ text: z.string().describe('More of the thoughts.') }),
  'answer.delta': z.object({ text: z.string().describe('More of the reply.') }),
  'answer.reset': z.object({
    reason: z.literal('superseded').describe('Another text comes in its place.'),
  }),
  'tool.called': z.object({
    ...callMembers,
    input: z.unknown().describe('What it is called with, as JSON.'),
  }),
  'tool.returned': z.object({
    ...callMembers,
    content: z.string().describe('What the model is given.'),
    is_error: z.boolean().describe('It could not be done, and `content` says why.'),
  }),
  'turn.completed': turnSchema,
  'turn.failed': turnSchema,
  'turn.cancelled': turnSchema,
} as const;

type EventData = { [Type in keyof typeof turnEventData]: z.infer<(typeof turnEventData)[Type]> };

/** What a turn tells while it runs; the last event is `turn.completed`, `turn.failed` or `turn.cancelled`. */
export type TurnEvent = { [Type in keyof EventData]: { type: Type; data: EventData[Type] } }[keyof EventData];

const shown = <Type extends keyof typeof turnEventData>(type: Type, happened: string) =>
  eventSchema(type, turnEventData[type], happened);

/** Events that turns and research runs have in common. */
export const answerEventSchemas = [
  shown(
    'reasoning.delta',
    'Thoughts of a model that shows them, in its own summary; of a run, also what it says before it calls a tool. They are no part of the answer.',
  ),
  shown('tool.called', 'The model calls a tool.'),
  shown('tool.returned', 'The call of a tool has ended.'),
  shown(
    'answer.delta',
    'More of the answer. All since the last `answer.reset`, joined, are what was written.',
  ),
  shown('answer.reset', 'What was shown of the answer is to be taken back: another one comes.'),
] as const;

// a problem names the request that it answers: it is made of the failed turn when it is sent
const failedSchema = problemSchema
  .extend({ turn: turnSchema.describe('The turn that failed.') })
  .meta({ id: 'TurnProblem', description: 'Why a turn failed, and the turn.' });

/** The stream of a turn, each event as an object of its fields. */
export const turnEventSchema = z
  .discriminatedUnion('event', [
    shown('turn.created', 'The turn was recorded, and begins.'),
    shown('route.decided', 'The router has decided how the turn goes on.'),
    shown('context.assembled', 'The prompt was put together.'),
    ...answerEventSchemas,
    shown('turn.completed', 'The turn has ended with a reply.'),
    eventSchema('turn.failed', failedSchema, 'The turn has ended without a reply.'),
    shown('turn.cancelled', 'The turn was cancelled.'),
  ])
  .meta({
    id: 'TurnEvent',
    description:
      'Server-sent events: each has `id` (its number), `event` and `data` (JSON). They are created, routed, assembled, thoughts, text and tool calls as they come, and exactly one of `turn.completed`, `turn.failed`, `turn.cancelled` at the end. The texts of `answer.delta` since the last `answer.reset`, joined, are the reply as the model wrote it: a text in front of tool calls is superseded by the one after them, and `answer.reset` comes in front of that one, so that what was shown can be taken back; `turn.completed` has the final one, without markers that resolve to nothing. The texts of `reasoning.delta` are what a model that thinks shows of its thoughts, in its own summary: they are no part of the reply, and many replies have none.',
  });
