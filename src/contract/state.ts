import { z } from 'zod';
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
  id: assumptionIdSchema,
  statement: shortText.min(1),
  confidence: confidenceSchema,
  impact: impactSchema,
  status: assumptionStatusSchema,
  depends_on: z.array(z.string()).max(MAX_DEPENDENCIES),
  /** The turn that registered it; null when a client wrote it. */
  source_turn: z.int().positive().nullable(),
  evidence: z.array(shortText).max(MAX_EVIDENCE),
  ...provenance,
});
export type Assumption = z.infer<typeof assumptionSchema>;

const skeletonRevisionSchema = z.strictObject({
  value: z.string().max(MAX_TEXT),
  turn: z.int().positive().nullable(),
  at: z.iso.datetime(),
});

export const skeletonEntrySchema = z.strictObject({
  value: z.string().max(MAX_TEXT),
  turn: z.int().positive().nullable(),
  updated_at: z.iso.datetime(),
  /** Earlier values, oldest first. */
  history: z.array(skeletonRevisionSchema).max(MAX_HISTORY),
  ...provenance,
});
export type SkeletonEntry = z.infer<typeof skeletonEntrySchema>;

export const fileSummarySchema = z.strictObject({
  filename: z.string(),
  uploaded_at: z.iso.datetime(),
  summary: z.string(),
  chunk_count: z.int().nonnegative(),
  /** The searchable version, and the one that the summary was made from. */
  version: z.int().positive().default(1),
  summary_version: z.int().positive().nullable().default(null),
});

export const routingStateSchema = z.strictObject({
  active_mode: modeSchema,
  active_probe: z.string().nullable(),
  probes_fired: z.array(z.string()),
  probes_completed: z.array(z.string()),
  patterns_triggered: z.array(z.string()),
  conversation_summary: z.string().max(8_000),
});

/** Everything the copilot has learned about a project: the one JSONB document of its row. */
export const projectStateSchema = z.strictObject({
  schema_version: z.literal(STATE_SCHEMA_VERSION),
  org_context: z.string().max(MAX_TEXT),
  /** Derived from the files; neither a model nor a client writes it. */
  file_summaries: z.array(fileSummarySchema),
  assumptions: z.array(assumptionSchema).max(MAX_ASSUMPTIONS),
  skeleton: z.partialRecord(skeletonFieldSchema, skeletonEntrySchema),
  routing: routingStateSchema,
  turn_count: z.int().nonnegative(),
});
export type ProjectState = z.infer<typeof projectStateSchema>;

/** The state as it is read: the document under its own name. */
export const stateObjectSchema = projectStateSchema
  .extend({ object: z.literal('project_state') })
  .meta({ id: 'ProjectState', description: 'Everything the copilot has learned about a project.' });

export const registerSchema = z.object({
  object: z.literal('assumption_register'),
  data: z.array(assumptionSchema),
});

export const skeletonSchema = z.object({
  object: z.literal('skeleton'),
  fields: projectStateSchema.shape.skeleton,
});

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
