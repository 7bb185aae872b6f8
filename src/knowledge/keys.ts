/**
 * The entries that the knowledge folder must hold, in their order: product, contract and prompts name them, so a missing
 * one is a fault. The number of an entry is its position, from 1.
 */
const DISCOVERY_PROBES = [
  'solution-problem-separation',
  'temporal-trigger',
  'stakeholder-mapping',
  'root-cause-depth',
  'success-criteria-clarity',
  'constraint-mapping',
  'evidence-assessment',
] as const;

const EVALUATION_PROBES = [
  'problem-solution-fit',
  'implementation-risk',
  'organizational-readiness',
  'competitive-context',
  'sustainability',
] as const;

const DISCOVERY_PATTERNS = [
  'metrics-mismatch',
  'scope-ambiguity',
  'hidden-stakeholder-conflict',
  'solution-inertia',
  'organizational-scar-tissue',
  'infrastructure-debt-as-feature-requests',
  'proxy-user-problem',
  'premature-scaling',
] as const;

export const PROBE_KEYS_BY_MODE = { discovery: DISCOVERY_PROBES, evaluation: EVALUATION_PROBES } as const;
export const PATTERN_KEYS_BY_MODE = { discovery: DISCOVERY_PATTERNS, evaluation: [] } as const;

/** The probes of both modes; a key belongs to one mode only. */
export const PROBE_KEYS = [...DISCOVERY_PROBES, ...EVALUATION_PROBES] as const;
export const PATTERN_KEYS = DISCOVERY_PATTERNS;
