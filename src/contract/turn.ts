import { z } from 'zod';
import { citationSchema } from './citation.ts';
import { contextDigestSchema, sharedMembers } from './receipt.ts';
import { routingSchema } from './routing.ts';
import { timeSchema } from './time.ts';
import { timingsSchema } from './timings.ts';
import { usageSchema } from './usage.ts';

const endedStatusSchema = z.enum(['completed', 'failed', 'cancelled']);
export const turnStatusSchema = z.enum(['in_progress', ...endedStatusSchema.options]);
export type TurnStatus = z.infer<typeof turnStatusSchema>;

/** Why a turn failed, in words for its user. */
export const turnFailureSchema = z.object({
  code: z.string(),
  detail: z.string(),
  retryable: z.boolean(),
  /** As the provider asked. */
  retry_after_s: z.number().optional(),
});
export type TurnFailure = z.infer<typeof turnFailureSchema>;

/** What the end of a turn leaves: each member is a column of its row, of the same name. */
const outcomeMembers = {
  response: z.string().nullable(),
  /** Null until it was routed, and for a turn that is not. */
  routing: routingSchema.nullable(),
  citations: z.array(citationSchema),
  state_changes: z.array(z.record(z.string(), z.unknown())),
  context: contextDigestSchema.nullable(),
  used_stale: sharedMembers.used_stale,
  limits_applied: sharedMembers.limits_applied,
  usage: usageSchema.nullable(),
  timings_ms: timingsSchema.nullable(),
  model: z.string().nullable().describe('The model that answered; `offline` when no language model did.'),
  stop_reason: sharedMembers.stop_reason,
};
const error = turnFailureSchema.nullable();

/** How a turn ended. */
export const turnOutcomeSchema = z.object({ status: endedStatusSchema, ...outcomeMembers, error });
export type TurnOutcome = z.infer<typeof turnOutcomeSchema>;

/** One user message and its reply. */
export const turnSchema = z
  .object({
    object: z.literal('turn'),
    turn_number: z.int(),
    status: turnStatusSchema,
    message: z.string(),
    priming: z.boolean(),
    ...outcomeMembers,
    truncated: z
      .boolean()
      .describe('The reply was cut off at its limit of tokens: `stop_reason` is `max_tokens`.'),
    error,
    attempt: z.int(),
    created_at: timeSchema,
    completed_at: timeSchema.nullable(),
  })
  .meta({ id: 'Turn' });
export type Turn = z.infer<typeof turnSchema>;

/** An earlier turn, as far as prompts need it. */
export type PastTurn = Pick<Turn, 'turn_number' | 'status' | 'priming' | 'message' | 'response'>;
