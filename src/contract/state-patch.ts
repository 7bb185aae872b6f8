import { z } from 'zod';
import {
  assumptionIdSchema,
  assumptionSchema,
  MAX_ASSUMPTIONS,
  MAX_TEXT,
  routingStateSchema,
  skeletonFieldSchema,
} from './state.ts';

const { statement, confidence, impact, status, depends_on, evidence } = assumptionSchema.shape;

const patchedAssumptionSchema = z.looseObject({
  id: assumptionIdSchema
    .optional()
    .describe('Of an assumption that is there; the next one is chosen where you leave it out.'),
  statement: statement.optional(),
  confidence: confidence.optional(),
  impact: impact.optional(),
  status: status.optional(),
  depends_on: depends_on.optional(),
  evidence: evidence.optional(),
});

const patchedFieldSchema = z
  .union([z.string().max(MAX_TEXT), z.looseObject({ value: z.string().max(MAX_TEXT).describe('The text.') })])
  .nullable();

const described = z.looseObject({
  org_context: z
    .string()
    .max(MAX_TEXT)
    .nullable()
    .optional()
    .describe('What is known of the organisation; null empties it.'),
  assumptions: z
    .array(patchedAssumptionSchema)
    .max(MAX_ASSUMPTIONS)
    .nullable()
    .optional()
    .describe(
      'The whole register as it is to be: what is not in it goes. A new one needs `statement`, `confidence` and `impact`.',
    ),
  skeleton: z
    .partialRecord(skeletonFieldSchema, patchedFieldSchema)
    .nullable()
    .optional()
    .describe('Fields by their names, each a text or `{"value": "..."}`; null erases one with its history.'),
  routing: routingStateSchema
    .partial()
    .omit({ conversation_summary: true })
    .loose()
    .nullable()
    .optional()
    .describe('Where the conversation stands.'),
});

/**
 * A change of the state. What is in it is checked when it has been merged, and what is wrong named by its place there: the
 * members stand here for the contract alone.
 */
export const statePatchSchema = z.looseObject({}).meta({
  id: 'ProjectStatePatch',
  description: 'A JSON Merge Patch (RFC 7396) of the state: only the members that are to change.',
  properties: z.toJSONSchema(described, { io: 'input' }).properties,
  examples: [{ org_context: 'A 40-person analytics company; decisions are made by the product trio.' }],
});
