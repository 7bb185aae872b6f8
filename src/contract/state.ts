import { z } from 'zod';
import { filenameSchema, kind } from './shared.ts';
import { fileSourceSchema, staleCauseSchema } from './staleness.ts';

/** Version of the document below; a stored document of an older one is migrated when it is read. */
export const STATE_SCHEMA_VERSION = 1;

/** The fields of the document skeleton, in the order in which artifacts show them. The probes name the same ones. */
export const SKELETON_FIELDS = [
  'problem_statement',
  'target_audience',
  'temporal_trigger',
  'urgency_assessment',
  'stakeholders',
  'decision_maker',
  'status_quo_beneficiary',
  'root_cause',
  'contributing_factors',
  'success_metrics',
  'anti_metrics',
  'minimum_viable_outcome',
  'constraints',
  'non_negotiables',
  'evidence_base',
  'proposed_solution',
  'problem_solution_fit',
  'implementation_risks',
  'organizational_readiness',
  'competitive_context',
  'sustainability',
  'value_risk',
  'usability_risk',
  'feasibility_risk',
  'viability_risk',
  'recommendation',
] as const;

export const skeletonFieldSchema = z.enum(SKELETON_FIELDS);
export type SkeletonField = z.infer<typeof skeletonFieldSchema>;

export const modeSchema = z.enum(['discovery', 'evaluation']);
export type Mode = z.infer<typeof modeSchema>;

export const confidenceSchema = z.enum(['validated', 'informed', 'guessed']);
export const impactSchema = z.enum(['high', 'medium', 'low']);
export const assumptionStatusSchema = z.enum(['active', 'at_risk', 'invalidated']);

export const MAX_ASSUMPTIONS = 1_000;
export const MAX_DEPENDENCIES = 100;
export const MAX_EVIDENCE = 100;
/** Characters of a skeleton value and of the organisation context. */
export const MAX_TEXT = 16_000;
/** Earlier values kept of a skeleton field. */
export const MAX_HISTORY = 200;

const shortText = z.string().max(4_000);

export const assumptionIdSchema = z.string().regex(/^a[1-9]\d{0,5}$/);

const provenance = {
  sources: z
    .array(fileSourceSchema)
    .default([])
    .describe('The versions of files that it was taken from; empty when a user said it.'),
  stale: z
    .array(staleCauseSchema)
    .default([])
    .describe('Sources that have changed since; emptied when it is confirmed or changed.'),
};

export const assumptionSchema = z.strictObject({
  id: assumptionIdSchema.describe('Names it: `a` and a number.'),
  statement: shortText.min(1).describe('One claim that can turn out false.'),
  confidence: confidenceSchema.describe('How well it is supported.'),
  impact: impactSchema.describe('How much changes if it is false.'),
  status: assumptionStatusSchema.describe(
    'Whether it holds: `at_risk` when one that it depends on was invalidated.',
  ),
  depends_on: z
    .array(z.string())
    .max(MAX_DEPENDENCIES)
    .describe('Ids of assumptions that must hold for this one to.'),
  /** The turn that registered it; null when a client wrote it. */
  source_turn: z
    .int()
    .positive()
    .nullable()
    .describe('The turn that registered it; null when a client wrote it.'),
  evidence: z.array(shortText).max(MAX_EVIDENCE).describe('What supports it.'),
  ...provenance,
});
export type Assumption = z.infer<typeof assumptionSchema>;

const skeletonRevisionSchema = z.strictObject({
  value: z.string().max(MAX_TEXT).describe('The text.'),
  turn: z.int().positive().nullable().describe('The turn that set it; null when a client did.'),
  at: z.iso.datetime().describe('When it was set; RFC 3339, UTC.'),
});

export const skeletonEntrySchema = z.strictObject({
  value: z.string().max(MAX_TEXT).describe('The text.'),
  turn: z.int().positive().nullable().describe('The turn that set it; null when a client did.'),
  updated_at: z.iso.datetime().describe('When it was set; RFC 3339, UTC.'),
  /** Earlier values, oldest first. */
  history: z.array(skeletonRevisionSchema).max(MAX_HISTORY).describe('Earlier values, oldest first.'),
  ...provenance,
});
export type SkeletonEntry = z.infer<typeof skeletonEntrySchema>;

export const fileSummarySchema = z.strictObject({
  filename: filenameSchema,
  uploaded_at: z.iso.datetime().describe('When the file came; RFC 3339, UTC.'),
  summary: z.string().describe('What is in it, in a few sentences.'),
  chunk_count: z.int().nonnegative().describe('Its leaves.'),
  /** The searchable version, and the one that the summary was made from. */
  version: z.int().positive().default(1).describe('The searchable version.'),
  summary_version: z
    .int()
    .positive()
    .nullable()
    .default(null)
    .describe('The version that the summary was made from; null where that is not known.'),
});

export const routingStateSchema = z.strictObject({
  active_mode: modeSchema.describe('The mode that the conversation is in.'),
  active_probe: z.string().nullable().describe('The probe that it goes by; null for none.'),
  probes_fired: z.array(z.string()).describe('Keys of the probes that were used.'),
  probes_completed: z.array(z.string()).describe('Keys of the probes that are done.'),
  patterns_triggered: z.array(z.string()).describe('Keys of the patterns that were recognised.'),
  conversation_summary: z.string().max(8_000).describe('What was said so far, for prompts.'),
});

/** Everything the copilot has learned about a project: the one JSONB document of its row. */
export const projectStateSchema = z.strictObject({
  schema_version: z.literal(STATE_SCHEMA_VERSION).describe('The version of this document.'),
  org_context: z.string().max(MAX_TEXT).describe('What is known of the organisation.'),
  /** Derived from the files; neither a model nor a client writes it. */
  file_summaries: z.array(fileSummarySchema).describe('What is in the files: derived from them.'),
  assumptions: z.array(assumptionSchema).max(MAX_ASSUMPTIONS).describe('The assumption register.'),
  skeleton: z
    .partialRecord(skeletonFieldSchema, skeletonEntrySchema)
    .describe('The named fields that are known so far.'),
  routing: routingStateSchema.describe('Where the conversation stands.'),
  turn_count: z.int().nonnegative().describe('How many turns the project has.'),
});
export type ProjectState = z.infer<typeof projectStateSchema>;

/** The state as it is read: the document under its own name. */
export const stateObjectSchema = projectStateSchema
  .extend({ object: kind('project_state') })
  .meta({ id: 'ProjectState', description: 'Everything the copilot has learned about a project.' });

export const registerSchema = z
  .object({
    object: kind('assumption_register'),
    data: z.array(assumptionSchema).describe('The assumptions, in the order in which they were registered.'),
  })
  .meta({ id: 'AssumptionRegister', description: 'Every assumption of a project.' });

export const skeletonSchema = z
  .object({
    object: kind('skeleton'),
    fields: projectStateSchema.shape.skeleton.describe('The fields that are known so far, by name.'),
  })
  .meta({ id: 'DocumentSkeleton', description: 'The named fields that are known so far.' });

/** The state of a project that was just created. */
export function emptyState(): ProjectState {
  return {
    schema_version: STATE_SCHEMA_VERSION,
    org_context: '',
    file_summaries: [],
    assumptions: [],
    skeleton: {},
    routing: {
      active_mode: 'discovery',
      active_probe: null,
      probes_fired: [],
      probes_completed: [],
      patterns_triggered: [],
      conversation_summary: '',
    },
    turn_count: 0,
  };
}
