import { z } from 'zod';
import { citationSchema } from './citation.ts';
import { contextDigestSchema, sharedMembers } from './receipt.ts';
import { routingSchema } from './routing.ts';
import { kind } from './shared.ts';
import { timeSchema } from './time.ts';
import { timingsSchema } from './timings.ts';
import { usageSchema } from './usage.ts';

const endedStatusSchema = z.enum(['completed', 'failed', 'cancelled']);
export const turnStatusSchema = z.enum(['in_progress', ...endedStatusSchema.options]);
export type TurnStatus = z.infer<typeof turnStatusSchema>;

/** Why a turn failed, in words for its user. */
export const turnFailureSchema = z.object({
  code: z.string().describe('Stable name of the failure.'),
  detail: z.string().describe('What happened, and what to do about it.'),
  retryable: z.boolean().describe('Whether another attempt may succeed.'),
  /** As the provider asked. */
  retry_after_s: z
    .number()
    .optional()
    .describe('Seconds after which trying again makes sense, as the provider asked.'),
});
export type TurnFailure = z.infer<typeof turnFailureSchema>;

/** What the end of a turn leaves: each member is a column of its row, of the same name. */
const outcomeMembers = {
  response: z
    .string()
    .nullable()
    .describe('The reply, with markers that `citations` resolve; null until there is one.'),
  /** Null until it was routed, and for a turn that is not. */
  routing: routingSchema
    .nullable()
    .describe('What the router decided; null until it was routed, and for a turn that is not.'),
  citations: z.array(citationSchema).describe('What the markers in the reply lead to.'),
  state_changes: z
    .array(z.record(z.string(), z.unknown()))
    .describe('What the turn changed in the state, in its order.'),
  context: contextDigestSchema
    .nullable()
    .describe('What was sent, in short; null until it was put together.'),
  used_stale: sharedMembers.used_stale,
  limits_applied: sharedMembers.limits_applied,
  usage: usageSchema.nullable().describe('Tokens and cost; null until it has ended.'),
  timings_ms: timingsSchema.nullable().describe('Milliseconds of each step; null until it has ended.'),
  model: z.string().nullable().describe('The model that answered; `offline` when no language model did.'),
  stop_reason: sharedMembers.stop_reason,
};
const error = turnFailureSchema.nullable().describe('Why it failed; null where it did not.');

/** How a turn ended. */
export const turnOutcomeSchema = z.object({
  status: endedStatusSchema.describe('How far it is, or how it ended.'),
  ...outcomeMembers,
  error,
});
export type TurnOutcome = z.infer<typeof turnOutcomeSchema>;

/** One user message and its reply. */
export const turnSchema = z
  .object({
    object: kind('turn'),
    turn_number: z.int().describe('Its number in the project, from 1.'),
    status: turnStatusSchema.describe('How far it is, or how it ended.'),
    message: z.string().describe('What the user said; empty for a priming turn.'),
    priming: z.boolean().describe('The copilot opened the project: there was no message.'),
    ...outcomeMembers,
    truncated: z
      .boolean()
      .describe('The reply was cut off at its limit of tokens: `stop_reason` is `max_tokens`.'),
    error,
    attempt: z.int().describe('Which attempt this is, from 1.'),
    created_at: timeSchema.describe('When it was begun; RFC 3339, UTC.'),
    completed_at: timeSchema.nullable().describe('When it ended; null while it goes on. RFC 3339, UTC.'),
  })
  .meta({ id: 'Turn', description: 'One user message and its reply.' });
export type Turn = z.infer<typeof turnSchema>;

/** An earlier turn, as far as prompts need it. */
export type PastTurn = Pick<Turn, 'turn_number' | 'status' | 'priming' | 'message' | 'response'>;
