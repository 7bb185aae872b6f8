import { z } from 'zod';
import { citationSchema } from './citation.ts';
import { appliedLimitSchema, limitsSchema } from './limits.ts';
import { sharedMembers } from './receipt.ts';
import { filenameSchema, kind } from './shared.ts';
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
  tool: z.string().describe('The name of the tool.'),
  input: z.unknown().describe('What it was called with, as JSON.'),
  output: z.string().describe('What the model was given.'),
  is_error: z.boolean().describe('It could not be done, and `output` says why.'),
  ms: z.number().describe('How long it took, in milliseconds.'),
});
export type ResearchStep = z.infer<typeof researchStepSchema>;

export const candidateSchema = z.object({
  filename: filenameSchema,
  why: z.string().describe('What of the question fits the file.'),
});
export type Candidate = z.infer<typeof candidateSchema>;

const researchTimingsSchema = z.object({
  first_token: z.number().optional().describe('Until the answer began.'),
  total: z.number().describe('From beginning to end.'),
});

/** What the end of a run leaves: each member is a column of its row, of the same name. */
const outcomeMembers = {
  answer: z
    .string()
    .nullable()
    .describe('With markers that `citations` resolve; where a file is to be chosen, the question back.'),
  steps: z.array(researchStepSchema).describe('What was done, in its order.'),
  citations: z.array(citationSchema).describe('What the markers in the answer lead to.'),
  candidates: z
    .array(candidateSchema)
    .describe('Files that the question can mean. Ask again with the right ones in `files`.'),
  limits_applied: z
    .array(
      appliedLimitSchema.extend({
        limit: researchLimitsSchema.keyof().describe('The limit that changed it.'),
      }),
    )
    .describe('What your limits changed. `exceeded`: the provider counted more than was foreseen.'),
  usage: usageSchema.nullable().describe('Tokens and cost; null until it has ended.'),
  timings_ms: researchTimingsSchema
    .nullable()
    .describe('How long it took, in milliseconds; null until it has ended.'),
  model: z.string().nullable().describe('The model that answered; null until it has ended.'),
  stop_reason: sharedMembers.stop_reason,
};
const error = turnFailureSchema.nullable().describe('Why it failed; null where it did not.');

/** How a run ended. */
export const runOutcomeSchema = z.object({
  status: endedStatusSchema.describe('How far it is, or how it ended.'),
  ...outcomeMembers,
  error,
});
export type RunOutcome = z.infer<typeof runOutcomeSchema>;

/** A question that is answered in several steps. */
export const researchRunSchema = z
  .object({
    object: kind('research_run'),
    id: z.string().describe('Names the run.'),
    status: runStatusSchema.describe('How far it is, or how it ended.'),
    question: z.string().describe('What was asked.'),
    ...outcomeMembers,
    error,
    attempt: z.int().describe('Which attempt this is, from 1.'),
    created_at: timeSchema.describe('When it was asked for; RFC 3339, UTC.'),
    completed_at: timeSchema.nullable().describe('When it ended; null while it goes on. RFC 3339, UTC.'),
  })
  .meta({ id: 'ResearchRun', description: 'A question that is answered in several steps.' });
export type ResearchRun = z.infer<typeof researchRunSchema>;
