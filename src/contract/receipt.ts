import { z } from 'zod';
import { appliedLimitSchema } from './limits.ts';
import { floorReportMembers, minScoreSchema, rerankReportSchema } from './passage.ts';
import { routingSchema } from './routing.ts';
import { kind } from './shared.ts';
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
  section: z.string().describe('The part of the prompt that it would have been in.'),
  id: z.string().describe('What it is: a file and its section, a turn, a field of the state.'),
  tokens: z.int().describe('Tokens that it would have taken.'),
  reason: z.string().describe('Why it was left out.'),
});
export type DroppedItem = z.infer<typeof droppedSchema>;

/** What a turn shows of its receipt. */
export const contextDigestSchema = z
  .object({
    tokens: z.int().describe('Tokens that were sent, as counted here.'),
    budget: z.int().describe('Tokens that the prompt could have.'),
    sections: z
      .array(
        z.object({
          name: z.string().describe('Of the part of the prompt.'),
          tokens: z.int().describe('Its length in tokens.'),
        }),
      )
      .describe('The parts of the prompt, in their order.'),
    dropped: z.array(droppedSchema).describe('What did not fit, and why.'),
  })
  .meta({ id: 'ContextDigest', description: 'What a turn shows of its receipt.' });
export type ContextDigest = z.infer<typeof contextDigestSchema>;

const receiptMembers = {
  object: kind('turn_context'),
  turn_number: z.int().describe('The number of the turn, from 1.'),
  budget: z.int().describe('Tokens that the prompt could have.'),
  budget_raised_by: z
    .int()
    .describe('Tokens of `budget` beyond what is configured, so that the assumption register is whole.'),
  tokens: z.int().describe('Counted before sending; `usage` has what the provider counted.'),
  sections: z
    .array(
      z.object({
        name: z.string().describe('Of the part of the prompt.'),
        tokens: z.int().describe('Its length in tokens.'),
        /** `narrowed`: a shorter form of it was sent. */
        items: z
          .array(
            z.looseObject({
              id: z.string().describe('What it is: a file and its section, a turn, a field of the state.'),
              tokens: z.int().describe('Its length in tokens.'),
              narrowed: z.boolean().describe('A shorter form of it was sent.'),
              source: sourceSchema.optional().describe('Of a document: where its file is.'),
            }),
          )
          .describe('What it is made of.'),
        text: z.string().describe('The text that was sent.'),
      }),
    )
    .describe('Everything that was sent, in its order.'),
  dropped: z.array(droppedSchema).describe('What did not fit, and why.'),
  used_stale: sharedMembers.used_stale,
  limits_applied: sharedMembers.limits_applied,
  token_factor: z
    .number()
    .describe('Tokens that the provider counts for one that is counted here, as learned from its replies.'),
  routing: routingSchema.nullable().describe('What the router decided; null where nothing was routed.'),
  retrieval: z
    .object({
      documents: z
        .string()
        .nullable()
        .describe('The strategy that found the documents; null when none were looked for.'),
      turns: z
        .string()
        .nullable()
        .describe('The strategy that found earlier turns; null when none were looked for.'),
      rerank: rerankReportSchema
        .nullable()
        .describe('Of the documents; null where no reranker is set up, or there was nothing to order.'),
      embedding_model: z
        .string()
        .nullable()
        .describe('The model that queries were embedded with; null when nothing was looked for.'),
      min_score: minScoreSchema
        .nullable()
        .describe('The least score of what is sent; null when no documents were looked for.'),
      considered: z.int().describe('Sections of files that were searched.'),
      below_floor: floorReportMembers.below_floor,
      likeliest_file: floorReportMembers.likeliest_file,
    })
    .describe('What was looked up.'),
  speculation: speculationSchema
    .nullable()
    .describe('The search that was begun with the routing; null where none was.'),
  models: z
    .object({
      router: z.string().nullable().describe('The one that routed; null where nothing was routed.'),
      answer: z.string().nullable().describe('The one that answered; null where none did.'),
    })
    .describe('The language models.'),
  stop_reason: sharedMembers.stop_reason,
  usage: usageSchema.describe('Tokens and cost, in all and by phase.'),
  cost_usd: z.number().nullable().describe('In US dollars, at list prices; null when a price is not known.'),
  timings_ms: timingsSchema,
  citations: z
    .object({
      resolved: z.int().describe('Markers that lead to a passage.'),
      removed: z.int().describe('Markers that resolved to nothing and were taken out.'),
    })
    .nullable()
    .describe('What became of the markers in the reply; null without a reply.'),
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
    rerank: receiptMembers.retrieval.shape.rerank.default(null),
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
    dry_run: z.literal(true).describe('Nothing was stored, and no reply made.'),
    prediction: z
      .object({
        model: z.string().describe('The model that would answer.'),
        input_tokens: z.int().describe('Tokens that it would read.'),
        max_output_tokens: z.int().describe('The most tokens that it could write.'),
        /** For the input alone, and with the longest reply there can be; null when the price is not known. */
        min_cost_usd: z
          .number()
          .nullable()
          .describe('In US dollars, for the input alone; null when the price is not known.'),
        max_cost_usd: z
          .number()
          .nullable()
          .describe('In US dollars, with the longest reply there can be; null when the price is not known.'),
      })
      .describe('What the answer would cost.'),
  })
  .meta({
    id: 'TurnDryRun',
    description: 'The receipt that a turn would have, and what its answer would cost.',
  });
export type DryRun = z.infer<typeof dryRunSchema>;
