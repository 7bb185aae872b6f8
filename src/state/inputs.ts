import { z } from 'zod';
import {
  assumptionIdSchema,
  assumptionStatusSchema,
  confidenceSchema,
  impactSchema,
  MAX_DEPENDENCIES,
  MAX_EVIDENCE,
  MAX_TEXT,
  modeSchema,
  skeletonFieldSchema,
} from '../contract/state.ts';
import { PROBE_KEYS } from '../knowledge/keys.ts';

const statement = z
  .string()
  .trim()
  .min(1)
  .max(4_000)
  .describe('One falsifiable claim, in one sentence, in the language of the conversation.');
const confidence = confidenceSchema.describe(
  'validated: observed data or a primary source, named in evidence or cites; refused without. informed: experience, analogy or someone placed to know. guessed: no support yet.',
);
const impact = impactSchema.describe(
  'What changes if it is false. high: the problem, the audience or go/no-go. medium: scope, approach or timing. low: a detail.',
);
const dependsOn = z.array(assumptionIdSchema).max(MAX_DEPENDENCIES);
const evidence = z.array(z.string().trim().min(1).max(4_000)).max(MAX_EVIDENCE);

const cites = z
  .array(z.int().positive().max(999))
  .max(20)
  .optional()
  .describe('Numbers of the documents it is taken from, e.g. [2]. None for what the user said.');

const registerAssumptionInput = z.strictObject({
  statement,
  confidence,
  impact,
  depends_on: dependsOn
    .optional()
    .describe('Ids of assumptions that must hold for this one to hold, e.g. ["a2"].'),
  evidence: evidence.optional().describe('What supports it: source, date, size; who said it, word for word.'),
  cites,
});
export type NewAssumption = z.infer<typeof registerAssumptionInput>;

const updateAssumptionInput = z
  .strictObject({
    id: assumptionIdSchema.describe('The assumption to change, e.g. "a3".'),
    statement: statement.optional(),
    confidence: confidence.optional(),
    impact: impact.optional(),
    status: assumptionStatusSchema
      .optional()
      .describe(
        'invalidated: contradicted; everything that depends on it becomes at_risk. active: it holds, or was settled after being at risk.',
      ),
    depends_on: dependsOn.optional().describe('Replaces the present list.'),
    evidence: evidence.optional().describe('Added to the evidence that is there.'),
    cites,
  })
  .refine((input) => Object.keys(input).length > 1, 'must change something besides naming the id');
export type AssumptionUpdate = z.infer<typeof updateAssumptionInput>;

const updateSkeletonInput = z.strictObject({
  field: skeletonFieldSchema,
  value: z
    .string()
    .trim()
    .max(MAX_TEXT)
    .describe(
      'The whole new value, able to stand alone, confirmed facts only. An empty string clears the field.',
    ),
  cites,
});

const updateOrgContextInput = z.strictObject({
  text: z.string().trim().min(1).max(MAX_TEXT),
  mode: z
    .enum(['append', 'replace'])
    .default('append')
    .describe('append: adds a paragraph. replace: this text takes the place of all that was there.'),
});

const completeProbeInput = z.strictObject({
  // one that is not there is refused where it is known which ones can be completed
  probe: z
    .string()
    .meta({ enum: PROBE_KEYS })
    .describe('The key of the probe: one that was asked in this mode and is not complete.'),
});

export const switchModeInput = z.strictObject({ mode: modeSchema });

/** The tools by which the large model changes the state: what each is for, and the schema of its input. */
export const STATE_TOOLS = {
  register_assumption: {
    description:
      'Registers one new assumption: a claim the project rests on that could prove false and would then change a decision. Not for plans, wishes or definitions, nor for one that is in the register already: that one is given back.',
    input: registerAssumptionInput,
  },
  update_assumption: {
    description:
      'Changes an assumption of the register: its confidence or evidence when something was learned, its status when it was contradicted or settled, its wording or dependencies.',
    input: updateAssumptionInput,
  },
  update_skeleton: {
    description:
      'Sets one field of the document skeleton to what the user confirmed or an undisputed document states. Earlier values are kept as history. Never for guesses.',
    input: updateSkeletonInput,
  },
  update_org_context: {
    description:
      'Records lasting facts about the organisation (business, structure, systems, vocabulary) that matter beyond this question.',
    input: updateOrgContextInput,
  },
  complete_probe: {
    description:
      'Marks a probe as complete, when its criteria are met or nobody reachable can answer and the gap is in the register.',
    input: completeProbeInput,
  },
} as const;
