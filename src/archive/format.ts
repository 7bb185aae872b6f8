import { z } from 'zod';
import { chunkingSchema } from '../contract/chunking.ts';
import { fidelityReportSchema } from '../contract/fidelity.ts';
import { fileFailureSchema, fileSchema } from '../contract/file.ts';
import { storedReceiptSchema } from '../contract/receipt.ts';
import { timeSchema } from '../contract/time.ts';
import { turnOutcomeSchema, turnSchema } from '../contract/turn.ts';
import { turnEventData } from '../contract/turn-event.ts';
import { turnOptionsSchema } from '../contract/turn-options.ts';

/*
 * What stands in an archive of a project; docs/archive.md describes it for those who read one with other programs. A member
 * or an entry can be added within a format version, since readers pass over what they do not know. Whatever a reader must
 * know to read the rest rightly raises the version.
 */

export const ARCHIVE_FORMAT = 'forge-project-archive';
export const ARCHIVE_FORMAT_VERSION = 1;

/** The entries that every archive has, but for the contexts, which older ones lack, and the vectors. */
export const ENTRIES = {
  manifest: 'manifest.json',
  project: 'project.json',
  state: 'state.json',
  assumptions: 'assumptions.json',
  files: 'files.jsonl',
  turns: 'turns.jsonl',
  events: 'turn_events.jsonl',
  summaries: 'turn_summaries.jsonl',
  contexts: 'leaf_contexts.jsonl',
  usage: 'usage.json',
  vectors: 'vectors.jsonl',
} as const;

/** Where the bytes of a version stand; `file` counts from 1, since names may differ in their case alone. */
export const originalEntry = (file: number, version: number, name: string): string =>
  `originals/${file}/${version}/${name}`;
export const markdownEntry = (file: number, version: number): string => `markdown/${file}/${version}.md`;

// what the columns hold
const count = z.int().min(0).max(2_147_483_647);
const number = z.int().min(1).max(2_147_483_647);
const text = z.string();
/** Whether contexts are written on leaves; archives of before contexts lack it. */
const contextual = z.boolean().nullable().optional();
// Postgres knows no year 0
const time = timeSchema.refine((at) => at >= '0001', 'must be of year 1 or later');
const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'must be a sha-256 in hexadecimal');

const entrySchema = z.object({ path: text, bytes: z.int().min(0), sha256 });
export type ArchiveEntry = z.infer<typeof entrySchema>;

const countsSchema = z.object({
  files: count,
  versions: count,
  turns: count,
  turn_events: count,
  turn_summaries: count,
  vectors: count,
});
export type ArchiveCounts = z.infer<typeof countsSchema>;

/** What is looked at before anything else: the rest may be of a version that is not known here. */
export const manifestHeadSchema = z.object({
  format: z.literal(ARCHIVE_FORMAT),
  format_version: number,
  forge_version: text,
});

export const manifestSchema = manifestHeadSchema.extend({
  created_at: time,
  project: z.object({ id: text, name: text.min(1).max(200) }),
  /** What the vectors are from; null where the archive has none. */
  embedding: z.object({ model: text, dimensions: number }).nullable(),
  counts: countsSchema,
  /** Every other entry. */
  entries: z.array(entrySchema),
});
export type Manifest = z.infer<typeof manifestSchema>;

export const archivedProjectSchema = z.object({
  id: text,
  name: text.min(1).max(200),
  created_at: time,
  /** The last turn that the summary of the conversation covers. */
  summarised_through: count,
  contextual,
});

const archivedVersionSchema = z.object({
  version: number,
  media_type: text,
  bytes: number,
  sha256,
  created_at: time,
  chunking: chunkingSchema,
  min_fidelity: z.number().min(0).max(1).nullable(),
  /** What the conversion gave; null where there was none. */
  format: text.nullable(),
  fidelity: fidelityReportSchema.pick({ score: true, losses: true, counts: true }).nullable(),
  /** Names of entries. */
  original: text,
  markdown: text.nullable(),
});
export type ArchivedVersion = z.infer<typeof archivedVersionSchema>;

export const archivedFileSchema = fileSchema
  .pick({ name: true, media_type: true, status: true, summary: true, summary_status: true })
  .extend({
    version: number,
    searchable_version: number.nullable(),
    summary_version: number.nullable(),
    last_error: fileFailureSchema.nullable(),
    chunk_count: count,
    parent_count: count,
    token_estimate: count,
    uploaded_at: time,
    contextual,
    /** Rising. */
    versions: z.array(archivedVersionSchema).min(1),
  });
export type ArchivedFile = z.infer<typeof archivedFileSchema>;

export const archivedTurnSchema = turnSchema.omit({ object: true, truncated: true }).extend({
  turn_number: number,
  attempt: number,
  status: turnOutcomeSchema.shape.status,
  created_at: time,
  completed_at: time.nullable(),
  options: turnOptionsSchema,
  /** The probe that was active. */
  probe: text.nullable(),
  receipt: storedReceiptSchema.nullable(),
});
export type ArchivedTurn = z.infer<typeof archivedTurnSchema>;

const eventMembers = { turn_number: number, seq: z.int().min(1), created_at: time };
const deltas = ['answer.delta', 'reasoning.delta'] as const;
const isDelta = (type: string): boolean => deltas.some((delta) => delta === type);
const otherEvents = Object.keys(turnEventData).filter((type) => !isDelta(type));

/** An event as it is stored: as it was sent, but texts that followed each other as one list. */
export const archivedEventSchema = z.union([
  z.object({ ...eventMembers, type: z.enum(deltas), data: z.array(text) }),
  z.object({ ...eventMembers, type: z.enum(otherEvents), data: z.record(text, z.unknown()) }),
]);
export type ArchivedEvent = z.infer<typeof archivedEventSchema>;

export const archivedSummarySchema = z.object({
  turn_number: number,
  summary: text,
  source: z.enum(['model', 'extract']),
  created_at: time,
});
export type ArchivedSummary = z.infer<typeof archivedSummarySchema>;

/** What a model wrote on a leaf of a file, which counts from 1. */
export const archivedContextSchema = z.object({
  file: number,
  /** Of the leaf's context header, two line ends and its text. */
  hash: sha256,
  context: text.min(1).max(10_000),
  model: text.max(200),
});
export type ArchivedContext = z.infer<typeof archivedContextSchema>;

/** Model calls that belong to no turn. */
export const archivedUsageSchema = z.array(
  z.object({
    /** In UTC. */
    day: z.iso.date(),
    phase: text.max(100),
    model: text.max(200),
    calls: z.int().min(0),
    input_tokens: z.int().min(0),
    cached_tokens: z.int().min(0),
    cache_write_tokens: z.int().min(0),
    output_tokens: z.int().min(0),
  }),
);
export type ArchivedUsage = z.infer<typeof archivedUsageSchema>;

/** A vector by the sha-256 of what was embedded: 32-bit floats, little-endian, in base64. */
export const archivedVectorSchema = z.object({ hash: sha256, vector: z.base64() });
