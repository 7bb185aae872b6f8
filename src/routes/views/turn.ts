import { z } from 'zod';
import { modeSchema, staleCauseSchema } from '../../state/schema.ts';
import { timeSchema } from '../plumbing/wire.ts';

export const routingSchema = z
  .object({
    next_probe: z.string().nullable(),
    triggered_patterns: z.array(z.string()),
    active_mode: modeSchema,
    action: z.enum(['probe', 'synthesise', 'switch_mode', 'answer']),
    requires_retrieval: z.boolean(),
    relevant_files: z.array(z.string()),
    reason: z.string(),
    source: z
      .enum(['model', 'offline', 'fallback', 'override'])
      .describe(
        'Who decided: `fallback` when the router failed, `override` when the caller said whether to retrieve.',
      ),
    notes: z
      .array(z.string())
      .describe("What of the router's reply could not be used, and what was done instead."),
  })
  .meta({ id: 'Routing', description: "Phase A's decision." });

const usageFigures = {
  input_tokens: z.int(),
  cached_tokens: z.int(),
  cache_write_tokens: z.int(),
  output_tokens: z.int(),
  cost_usd: z.number().nullable().describe('An estimate from list prices; null when a price is not known.'),
};
const usageSchema = z
  .object({
    ...usageFigures,
    by_phase: z.record(z.string(), z.object({ ...usageFigures, model: z.string(), calls: z.int() })),
  })
  .meta({ id: 'Usage', description: 'Tokens as the provider counted them, summed up and by phase.' });

const timingsSchema = z
  .partialRecord(
    z.enum(['route', 'embed', 'retrieve', 'assemble', 'first_token', 'answer', 'total']),
    z.number(),
  )
  .describe('Milliseconds of each step; a step that did not happen is not there.');

const droppedSchema = z.object({
  section: z.string(),
  id: z.string(),
  tokens: z.int(),
  reason: z.string(),
});

const usedStaleSchema = z
  .array(
    z.object({
      kind: z.enum(['assumption', 'skeleton_field', 'file_summary']),
      id: z.string(),
      causes: z.array(staleCauseSchema),
    }),
  )
  .describe('What was in the prompt although a file that it was taken from has changed since.');

const limitsAppliedSchema = z
  .array(
    z.object({
      limit: z.enum(['max_input_tokens', 'max_cost_usd', 'max_tool_rounds']),
      setting: z.enum([
        'budget',
        'documents',
        'recalled_turns',
        'tool_rounds',
        'output_tokens',
        'summary',
        'exceeded',
      ]),
      from: z.number(),
      to: z.number(),
    }),
  )
  .describe(
    'What your limits changed. `exceeded`: the provider counted more than was foreseen; `from` is your limit.',
  );

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

const citationSchema = z
  .object({
    marker: z.int().describe('The number in the reply: `[1]`.'),
    filename: z.string(),
    version: z.int(),
    header_path: z.array(z.string()),
    page: z.int().nullable(),
    char_start: z.int(),
    char_end: z.int(),
    quote: z.string().describe("The file's Markdown from `char_start` to `char_end`."),
    leaf_id: z.string().nullable(),
    parent_id: z.string(),
  })
  .meta({ id: 'Citation' });

/** A turn as the contract shows it. */
export const turnSchema = z
  .object({
    object: z.literal('turn'),
    turn_number: z.int(),
    status: z.enum(['in_progress', 'completed', 'failed', 'cancelled']),
    message: z.string(),
    priming: z.boolean(),
    response: z.string().nullable(),
    routing: routingSchema.nullable(),
    citations: z.array(citationSchema),
    state_changes: z.array(z.record(z.string(), z.unknown())),
    context: z
      .object({
        tokens: z.int(),
        budget: z.int(),
        sections: z.array(z.object({ name: z.string(), tokens: z.int() })),
        dropped: z.array(droppedSchema),
      })
      .nullable(),
    used_stale: usedStaleSchema,
    limits_applied: limitsAppliedSchema,
    usage: usageSchema.nullable(),
    timings_ms: timingsSchema.nullable(),
    model: z.string().nullable().describe('The model that answered; `offline` when no language model did.'),
    error: z
      .object({
        code: z.string(),
        detail: z.string(),
        retryable: z.boolean(),
        retry_after_s: z.number().optional(),
      })
      .nullable(),
    attempt: z.int(),
    created_at: timeSchema,
    completed_at: timeSchema.nullable(),
  })
  .meta({ id: 'Turn' });

const receiptMembers = {
  object: z.literal('turn_context'),
  turn_number: z.int(),
  budget: z.int(),
  tokens: z.int().describe('Counted before sending; `usage` has what the provider counted.'),
  sections: z
    .array(
      z.object({
        name: z.string(),
        tokens: z.int(),
        items: z.array(z.looseObject({ id: z.string(), tokens: z.int(), narrowed: z.boolean() })),
        text: z.string(),
      }),
    )
    .describe('Everything that was sent, in its order.'),
  dropped: z.array(droppedSchema),
  used_stale: usedStaleSchema,
  limits_applied: limitsAppliedSchema,
  token_factor: z
    .number()
    .describe('Tokens that the provider counts for one that is counted here, as learned from its replies.'),
  routing: routingSchema.nullable(),
  retrieval: z.object({
    documents: z
      .string()
      .nullable()
      .describe('The strategy that found the documents; null when none were looked for.'),
    turns: z.string().nullable(),
    embedding_model: z.string().nullable(),
  }),
  models: z.object({ router: z.string().nullable(), answer: z.string().nullable() }),
  usage: usageSchema,
  cost_usd: z.number().nullable(),
  timings_ms: timingsSchema,
  citations: z
    .object({
      resolved: z.int(),
      removed: z.int().describe('Markers that resolved to nothing and were taken out.'),
    })
    .nullable(),
};

/** A turn's receipt. */
export const receiptSchema = z
  .object(receiptMembers)
  .meta({ id: 'TurnContext', description: 'What a turn sent, what it left out, and what it cost.' });

/** The receipt that a turn would have. */
export const dryRunSchema = z
  .object({
    ...receiptMembers,
    dry_run: z.literal(true),
    prediction: z.object({
      model: z.string(),
      input_tokens: z.int(),
      max_output_tokens: z.int(),
      min_cost_usd: z.number().nullable(),
      max_cost_usd: z.number().nullable(),
    }),
  })
  .meta({ id: 'TurnDryRun' });
