import { z } from 'zod';
import { appliedLimitSchema } from './limits.ts';
import { floorReportMembers, minScoreSchema } from './passage.ts';
import { routingSchema } from './routing.ts';
import { sourceSchema } from './source.ts';
import { speculationSchema } from './speculation.ts';
import { usedStaleSchema } from './staleness.ts';
import { timingsSchema } from './timings.ts';
import { usageSchema } from './usage.ts';

/** How the model's reply ended; `tool_use`: it would have gone on, and had no rounds left. */
const answerStopSchema = z.enum(['end_turn', 'max_tokens', 'tool_use']);
export type AnswerStop = z.infer<typeof answerStopSchema>;

/** What a turn and its receipt say in the same words. */
export const sharedMembers = {
  used_stale: z
    .array(usedStaleSchema)
    .describe('What was in the prompt although a file that it was taken from has changed since.'),
  limits_applied: z
    .array(appliedLimitSchema)
    .describe(
      'What your limits changed. `exceeded`: the provider counted more than was foreseen; `from` is your limit.',
    ),
  stop_reason: answerStopSchema
    .nullable()
    .describe(
      'How the reply ended: by itself, cut off at its limit of tokens, or with no rounds left for another call. Null without a whole reply.',
    ),
};

/** Something that did not fit the budget. */
const droppedSchema = z.object({
  section: z.string(),
  id: z.string(),
  tokens: z.int(),
  reason: z.string(),
});
export type DroppedItem = z.infer<typeof droppedSchema>;

/** What a turn shows of its receipt. */
export const contextDigestSchema = z.object({
  tokens: z.int(),
  budget: z.int(),
  sections: z.array(z.object({ name: z.string(), tokens: z.int() })),
  dropped: z.array(droppedSchema),
});
export type ContextDigest = z.infer<typeof contextDigestSchema>;

const receiptMembers = {
  object: z.literal('turn_context'),
  turn_number: z.int(),
  budget: z.int(),
  budget_raised_by: z
    .int()
    .describe('Tokens of `budget` beyond what is configured, so that the assumption register is whole.'),
  tokens: z.int().describe('Counted before sending; `usage` has what the provider counted.'),
  sections: z
    .array(
      z.object({
        name: z.string(),
        tokens: z.int(),
        /** `narrowed`: a shorter form of it was sent. */
        items: z.array(
          z.looseObject({
            id: z.string(),
            tokens: z.int(),
            narrowed: z.boolean(),
            source: sourceSchema.optional().describe('Of a document: where its file is.'),
          }),
        ),
        text: z.string(),
      }),
    )
    .describe('Everything that was sent, in its order.'),
  dropped: z.array(droppedSchema),
  used_stale: sharedMembers.used_stale,
  limits_applied: sharedMembers.limits_applied,
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
    min_score: minScoreSchema
      .nullable()
      .describe('The least score of what is sent; null when no documents were looked for.'),
    considered: z.int().describe('Sections of files that were searched.'),
    below_floor: floorReportMembers.below_floor,
    likeliest_file: floorReportMembers.likeliest_file,
  }),
  speculation: speculationSchema.nullable(),
  models: z.object({ router: z.string().nullable(), answer: z.string().nullable() }),
  stop_reason: sharedMembers.stop_reason,
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

/** What a turn sent, what it left out, and what it cost: kept with the turn for ever. */
export const receiptSchema = z
  .object(receiptMembers)
  .meta({ id: 'TurnContext', description: 'What a turn sent, what it left out, and what it cost.' });
export type Receipt = z.infer<typeof receiptSchema>;

/** A receipt as it was stored: receipts are kept for ever, and earlier ones lack what has been added since. */
export const storedReceiptSchema = z.object({
  ...receiptMembers,
  retrieval: receiptMembers.retrieval.extend({
    min_score: receiptMembers.retrieval.shape.min_score.default(null),
    considered: receiptMembers.retrieval.shape.considered.default(0),
    below_floor: receiptMembers.retrieval.shape.below_floor.default(0),
    likeliest_file: receiptMembers.retrieval.shape.likeliest_file.default(null),
  }),
  budget_raised_by: receiptMembers.budget_raised_by.default(0),
  speculation: receiptMembers.speculation.default(null),
  stop_reason: receiptMembers.stop_reason.default(null),
});

/** The receipt that a turn would have, and what its answer would cost. */
export const dryRunSchema = z
  .object({
    ...receiptMembers,
    dry_run: z.literal(true),
    prediction: z.object({
      model: z.string(),
      input_tokens: z.int(),
      max_output_tokens: z.int(),
      /** For the input alone, and with the longest reply there can be; null when the price is not known. */
      min_cost_usd: z.number().nullable(),
      max_cost_usd: z.number().nullable(),
    }),
  })
  .meta({ id: 'TurnDryRun' });
export type DryRun = z.infer<typeof dryRunSchema>;
