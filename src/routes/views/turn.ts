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
    z.enum(['route', 'embed', 'retrieve', 'overlap', 'assemble', 'first_token', 'answer', 'total']),
    z.number(),
  )
  .describe(
    'Milliseconds of each step; a step that did not happen is not there. `overlap`: how long routing and retrieval ran side by side.',
  )
  .meta({
    examples: [
      {
        route: 410.2,
        embed: 9.6,
        retrieve: 18.1,
        overlap: 29.3,
        assemble: 1.2,
        first_token: 903.5,
        answer: 3790.4,
        total: 4215.9,
      },
    ],
  });

const stopReasonSchema = z
  .enum(['end_turn', 'max_tokens', 'tool_use'])
  .nullable()
  .describe(
    'How the reply ended: by itself, cut off at its limit of tokens, or with no rounds left for another call. Null without a whole reply.',
  );

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
    stop_reason: stopReasonSchema,
    truncated: z
      .boolean()
      .describe('The reply was cut off at its limit of tokens: `stop_reason` is `max_tokens`.'),
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

const speculationSchema = z
  .object({
    probe: z.string().nullable().describe('The probe that it went by: that of the turn before.'),
    started_ms: z.number().describe('When it began, as the router was asked.'),
    finished_ms: z
      .number()
      .nullable()
      .describe('Null when it was thrown away and had not ended with the turn.'),
    route_finished_ms: z.number(),
    overlap_ms: z.number().describe('How long routing and search ran side by side.'),
    used: z.boolean(),
    outcome: z
      .enum(['used', 'not_needed', 'other_probe'])
      .describe(
        'What became of it; `not_needed`: the router found that nothing was to be looked up; `other_probe`: the search was made again with the new probe (the message is embedded once).',
      ),
  })
  .meta({
    id: 'Speculation',
    description:
      'The search that was begun with the routing, so that it adds no waiting; milliseconds since the turn began. Null where none was: with `retrieval: never`, and for a priming turn.',
    examples: [
      {
        probe: 'stakeholder-mapping',
        started_ms: 1.3,
        finished_ms: 30.6,
        route_finished_ms: 411.5,
        overlap_ms: 29.3,
        used: true,
        outcome: 'used',
      },
    ],
  });

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
  speculation: speculationSchema.nullable(),
  models: z.object({ router: z.string().nullable(), answer: z.string().nullable() }),
  stop_reason: stopReasonSchema,
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
