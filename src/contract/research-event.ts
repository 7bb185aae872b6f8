import { z } from 'zod';
import { eventSchema } from './event.ts';
import { problemSchema } from './problem.ts';
import { researchRunSchema } from './research.ts';
import { answerEventSchemas, turnEventData } from './turn-event.ts';

/** What each event of a run tells, as it happens and as it is stored. */
const researchEventData = {
  'run.created': researchRunSchema,
  'reasoning.delta': turnEventData['reasoning.delta'],
  'tool.called': turnEventData['tool.called'],
  'tool.returned': turnEventData['tool.returned'],
  'answer.delta': turnEventData['answer.delta'],
  'answer.reset': turnEventData['answer.reset'],
  'run.completed': researchRunSchema,
  'run.needs_clarification': researchRunSchema,
  'run.step_limit_reached': researchRunSchema,
  'run.failed': researchRunSchema,
  'run.cancelled': researchRunSchema,
} as const;

type EventData = { [Type in keyof typeof researchEventData]: z.infer<(typeof researchEventData)[Type]> };

/** What a run tells while it goes on; the last event is `run.` with its status. */
export type ResearchEvent = {
  [Type in keyof EventData]: { type: Type; data: EventData[Type] };
}[keyof EventData];

const shown = <Type extends keyof typeof researchEventData>(type: Type, happened: string) =>
  eventSchema(type, researchEventData[type], happened);

// a problem names the request that it answers: it is made of the failed run when it is sent
const failedSchema = problemSchema
  .extend({ run: researchRunSchema.describe('The run that failed.') })
  .meta({ id: 'RunProblem', description: 'Why a research run failed, and the run.' });

/** The stream of a run, each event as an object of its fields. */
export const researchEventSchema = z
  .discriminatedUnion('event', [
    shown('run.created', 'The run was recorded, and begins.'),
    ...answerEventSchemas,
    shown('run.completed', 'The run has ended with an answer.'),
    shown(
      'run.needs_clarification',
      'The question can mean several files: the run has ended with the choice.',
    ),
    shown('run.step_limit_reached', 'The run has ended with what it had found when its steps were used up.'),
    eventSchema('run.failed', failedSchema, 'The run has ended without an answer.'),
    shown('run.cancelled', 'The run was cancelled.'),
  ])
  .meta({
    id: 'ResearchEvent',
    description:
      'Server-sent events: each has `id` (its number), `event` and `data` (JSON). `reasoning.delta` is what the agent thinks: thoughts that a model shows, and what it says before it calls a tool; it is never part of the answer. `tool.called` and `tool.returned` are its actions. The texts of `answer.delta` since the last `answer.reset`, joined, are the answer as the model wrote it. Exactly one of `run.completed`, `run.needs_clarification`, `run.step_limit_reached`, `run.failed`, `run.cancelled` comes last.',
  });
