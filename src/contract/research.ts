import { z } from 'zod';
import { citationSchema } from './citation.ts';
import { appliedLimitSchema, limitsSchema } from './limits.ts';
import { sharedMembers } from './receipt.ts';
import { sourcesSchema } from './source.ts';
import { timeSchema } from './time.ts';
import { turnFailureSchema } from './turn.ts';
import { usageSchema } from './usage.ts';

const endedStatusSchema = z.enum([
  'completed',
  'needs_clarification',
  'step_limit_reached',
  'failed',
  'cancelled',
]);
export const runStatusSchema = z.enum(['in_progress', ...endedStatusSchema.options]);
export type RunStatus = z.infer<typeof runStatusSchema>;

/** What a caller allows one run; what is left out is as configured. */
export const researchLimitsSchema = limitsSchema
  .omit({ max_tool_rounds: true })
  .extend({
    max_steps: z
      .int()
      .positive()
      .optional()
      .describe('Calls of the large model, the last of which answers; never more than are configured.'),
    max_cost_usd: z.number().positive().optional().describe('Of all steps and of summaries, at list prices.'),
  })
  .describe('What this run may use. Less than the least run needs is refused.');
export type ResearchLimits = z.infer<typeof researchLimitsSchema>;

/** How a run was asked for: kept with it, so that a retry is of the same kind. */
export const researchOptionsSchema = z.object({
  sources: sourcesSchema,
  /** The files that the question means, where it could mean several. */
  files: z.array(z.string()),
  limits: researchLimitsSchema.optional(),
});
export type ResearchOptions = z.infer<typeof researchOptionsSchema>;

/** One thing that a run did. */
export const researchStepSchema = z.object({
  n: z.int().describe('From 1.'),
  thought: z.string().describe('Why, as far as the model says; empty where it does not.'),
  tool: z.string(),
  input: z.unknown(),
  output: z.string().describe('What the model was given.'),
  is_error: z.boolean(),
  ms: z.number(),
});
export type ResearchStep = z.infer<typeof researchStepSchema>;

export const candidateSchema = z.object({
  filename: z.string(),
  why: z.string().describe('What of the question fits the file.'),
});
export type Candidate = z.infer<typeof candidateSchema>;

const researchTimingsSchema = z.object({
  first_token: z.number().optional().describe('Until the answer began.'),
  total: z.number(),
});

/** What the end of a run leaves: each member is a column of its row, of the same name. */
const outcomeMembers = {
  answer: z
    .string()
    .nullable()
    .describe('With markers that `citations` resolve; where a file is to be chosen, the question back.'),
  steps: z.array(researchStepSchema),
  citations: z.array(citationSchema),
  candidates: z
    .array(candidateSchema)
    .describe('Files that the question can mean. Ask again with the right ones in `files`.'),
  limits_applied: z
    .array(appliedLimitSchema.extend({ limit: researchLimitsSchema.keyof() }))
    .describe('What your limits changed. `exceeded`: the provider counted more than was foreseen.'),
  usage: usageSchema.nullable(),
  timings_ms: researchTimingsSchema.nullable(),
  model: z.string().nullable(),
  stop_reason: sharedMembers.stop_reason,
};
const error = turnFailureSchema.nullable();

/** How a run ended. */
export const runOutcomeSchema = z.object({ status: endedStatusSchema, ...outcomeMembers, error });
export type RunOutcome = z.infer<typeof runOutcomeSchema>;

/** A question that is answered in several steps. */
export const researchRunSchema = z
  .object({
    object: z.literal('research_run'),
    id: z.string(),
    status: runStatusSchema,
    question: z.string(),
    ...outcomeMembers,
    error,
    attempt: z.int(),
    created_at: timeSchema,
    completed_at: timeSchema.nullable(),
  })
  .meta({ id: 'ResearchRun' });
export type ResearchRun = z.infer<typeof researchRunSchema>;
