import { z } from 'zod';

/** What a caller allows one turn; what is left out is as configured. */
export const limitsSchema = z
  .object({
    max_input_tokens: z.int().positive().optional().describe('Tokens of any one prompt of the large model.'),
    max_cost_usd: z
      .number()
      .positive()
      .optional()
      .describe('Of router, answer and summary together, at list prices.'),
    max_tool_rounds: z
      .int()
      .positive()
      .optional()
      .describe('Calls of the large model; in the last one it cannot change the state.'),
  })
  .describe(
    'What this turn may use. What does not fit is cut in this order: the budget of the prompt (documents and earlier turns first), rounds, the length of the reply, the summary by a model. Less than the least turn needs is refused; `limits_applied` tells what was cut.',
  );
export type TurnLimits = z.infer<typeof limitsSchema>;

/** What a limit changed of a turn. `exceeded`: the provider counted more than was foreseen; `from` is the limit. */
export const appliedLimitSchema = z.object({
  limit: limitsSchema.keyof().describe('The limit that changed it.'),
  setting: z
    .enum(['budget', 'documents', 'recalled_turns', 'tool_rounds', 'output_tokens', 'summary', 'exceeded'])
    .describe('What was changed.'),
  from: z.number().describe('As it would have been.'),
  to: z.number().describe('As it was.'),
});
export type AppliedLimit = z.infer<typeof appliedLimitSchema>;
