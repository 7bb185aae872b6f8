import { z } from 'zod';
import type { OutlineNode } from '../../documents/outline/outline.ts';
import type { OutlineAnswer } from '../../services/outlines/outlines.ts';
import { outlinePointer } from '../../services/outlines/pointer-id.ts';
import type { Hydrated } from '../../services/outlines/pointers.ts';
import type { SectionPointer } from '../../services/outlines/section-pointer.ts';
import { timeSchema } from '../plumbing/wire.ts';

/** Names one version of one file in answers about its sections. */
export const versionId = (fileId: string, version: number | null): string | null =>
  version === null ? null : `${fileId}:${version}`;

const rangeSchema = z
  .object({ start: z.int(), end: z.int() })
  .describe('UTF-16 code units into the Markdown, end exclusive.');

const versionFields = {
  version: z.int().nullable().describe('The version that was read.'),
  version_id: z.string().nullable().describe('The same as one name, file and version.'),
};

const stateFields = {
  is_stale: z
    .boolean()
    .describe('A newer version is being read, or could not be read: this is the one before.'),
  detail: z.string().nullable().describe('Why there is nothing, or why it is stale.'),
  retry_after_ms: z
    .int()
    .nullable()
    .describe('When it makes sense to ask again; null: nothing is under way.'),
};

const nodeSchema = z
  .object({
    id: z.string().describe('Stays the same while heading path and own text do.'),
    parent_id: z.string().nullable(),
    level: z.int().describe('Heading level of Markdown, 1 to 6; depth in YAML and JSON.'),
    text: z.string().describe('Heading, key, first words of a paragraph, or page.'),
    char_range: rangeSchema.describe('The node with everything below it.'),
    chunk_id: z.string().nullable().describe('The leaf that holds its beginning.'),
    blurb: z.string().nullable().describe('What stands in it, at most 240 characters.'),
    token_estimate: z.int().describe('Of everything in its range.'),
    pointer_id: z.string().describe('Reads it: GET /projects/{project_id}/pointers/{pointer_id}.'),
    children: z.array(z.string()).describe('Ids of the nodes right below it that are part of this answer.'),
  })
  .meta({ id: 'OutlineNode' });

/** An outline as the contract shows it. */
export const outlineSchema = z
  .object({
    object: z.literal('outline'),
    filename: z.string(),
    state: z
      .enum(['ready', 'pending', 'stale', 'unsupported_format'])
      .describe(
        '`pending`: the document, or its outline, is being read. `unsupported_format`: it could not be read as text.',
      ),
    ...stateFields,
    ...versionFields,
    generated_at: timeSchema.nullable(),
    outline_digest: z
      .string()
      .nullable()
      .describe('Send it as `If-None-Match` to learn that nothing changed.'),
    nodes: z.array(nodeSchema).describe('In document order, parents before their children.'),
    total_nodes: z.int().describe('Of the whole outline.'),
    truncated: z.boolean().describe('Nodes were left out, the deepest levels first.'),
    guardrail: z
      .string()
      .nullable()
      .describe('`huge_document_guardrail`: of a document over 5 MB only the top levels are kept.'),
    token_estimate: z.int().describe('Of the whole document.'),
    tokens: z.int().describe('About how many tokens these nodes are.'),
  })
  .meta({ id: 'Outline' });

/** @see outlineSchema */
export function outlineView(outline: OutlineAnswer, includeBlurbs: boolean): z.infer<typeof outlineSchema> {
  const children = new Map<string, string[]>();
  for (const { id, parentId } of outline.nodes) {
    children.set(id, []);
    if (parentId !== null) children.get(parentId)?.push(id);
  }
  const nodeView = (node: OutlineNode) => ({
    id: node.id,
    parent_id: node.parentId,
    level: node.level,
    text: node.text,
    char_range: { start: node.charStart, end: node.charEnd },
    chunk_id: node.chunkId,
    blurb: includeBlurbs ? node.blurb : null,
    token_estimate: node.tokenEstimate,
    pointer_id: outlinePointer(outline.filename, node.id),
    children: children.get(node.id) ?? [],
  });
  return {
    object: 'outline',
    filename: outline.filename,
    state: outline.state,
    is_stale: outline.state === 'stale',
    detail: outline.detail,
    retry_after_ms: outline.retryAfterMs,
    version: outline.version,
    version_id: versionId(outline.fileId, outline.version),
    generated_at: outline.generatedAt?.toISOString() ?? null,
    outline_digest: outline.digest,
    nodes: outline.nodes.map(nodeView),
    total_nodes: outline.totalNodes,
    truncated: outline.truncated,
    guardrail: outline.guardrail,
    token_estimate: outline.tokenEstimate,
    tokens: outline.tokens,
  };
}

const sectionPointerSchema = z
  .object({
    chunk_id: z.string().describe('The leaf that matched.'),
    pointer_id: z
      .string()
      .describe(
        'Reads the section it stands in or, where that is longer than 2,000 tokens, the chunk itself.',
      ),
    score: z.number().describe('Confidence, 0 to 1.'),
    preview: z.string().describe('One line, from where the words of the query stand.'),
    token_estimate: z.int().describe('Of what the pointer leads to.'),
    page: z.int().nullable(),
    outline_context: z
      .object({
        node_id: z.string(),
        pointer_id: z.string(),
        level: z.int(),
        text: z.string(),
        header_path: z.array(z.string()),
        token_estimate: z.int(),
      })
      .nullable()
      .describe('The section: where it stands in the outline.'),
  })
  .meta({ id: 'SectionPointer' });

/** What a search for sections gives. */
export const sectionsSchema = z
  .object({
    object: z.literal('sections'),
    filename: z.string(),
    state: z
      .enum(['ready', 'stale', 'pending', 'unsupported_format', 'offline_fallback', 'offline_no_results'])
      .describe('`offline_…`: the query could not be embedded, and words and headings alone were gone by.'),
    ...stateFields,
    ...versionFields,
    latency_ms: z.number(),
    strategy: z.enum(['hybrid', 'fallback', 'none']).describe('`none`: there is nothing to search yet.'),
    pointers: z.array(sectionPointerSchema).describe('Best first, each section once.'),
  })
  .meta({ id: 'Sections' });

/** @see sectionsSchema */
export const sectionPointerView = (pointer: SectionPointer): z.infer<typeof sectionPointerSchema> => ({
  chunk_id: pointer.chunkId,
  pointer_id: pointer.pointerId,
  score: Math.round(pointer.score * 1_000) / 1_000,
  preview: pointer.preview,
  token_estimate: pointer.tokenEstimate,
  page: pointer.page,
  outline_context: pointer.outlineContext && {
    node_id: pointer.outlineContext.nodeId,
    pointer_id: pointer.outlineContext.pointerId,
    level: pointer.outlineContext.level,
    text: pointer.outlineContext.text,
    header_path: pointer.outlineContext.headerPath,
    token_estimate: pointer.outlineContext.tokenEstimate,
  },
});

/** What a pointer leads to. */
export const hydratedSchema = z
  .object({
    object: z.literal('pointer'),
    pointer_id: z.string(),
    state: z
      .enum(['ready', 'stale', 'pending', 'unsupported_format', 'gone'])
      .describe('`gone`: the section is not there any more as it was; `nearest` says where to go on.'),
    ...stateFields,
    filename: z.string(),
    ...versionFields,
    header_path: z.array(z.string()),
    text: z.string(),
    char_range: rangeSchema.nullable().describe('Of the text given.'),
    section_range: rangeSchema.nullable().describe('Of everything that the pointer names.'),
    tokens: z.int().describe('Of the text given.'),
    token_estimate: z.int().describe('Of everything that the pointer names.'),
    continuation: z
      .string()
      .nullable()
      .describe('Send it as `continuation` to read on; null: this was the end.'),
    nearest: z
      .object({
        pointer_id: z.string(),
        text: z.string(),
        level: z.int(),
        header_path: z.array(z.string()),
      })
      .nullable()
      .describe('Of a pointer that is gone: the nearest heading that is left.'),
  })
  .meta({ id: 'Pointer' });

/** @see hydratedSchema */
export const hydratedView = (pointer: Hydrated): z.infer<typeof hydratedSchema> => ({
  object: 'pointer',
  pointer_id: pointer.pointerId,
  state: pointer.state,
  is_stale: pointer.state === 'stale',
  detail: pointer.detail,
  retry_after_ms: pointer.retryAfterMs,
  filename: pointer.filename,
  version: pointer.version,
  version_id: versionId(pointer.fileId, pointer.version),
  header_path: pointer.headerPath,
  text: pointer.text,
  char_range: pointer.range,
  section_range: pointer.wholeRange,
  tokens: pointer.tokens,
  token_estimate: pointer.tokenEstimate,
  continuation: pointer.continuation,
  nearest: pointer.nearest && {
    pointer_id: pointer.nearest.pointerId,
    text: pointer.nearest.text,
    level: pointer.nearest.level,
    header_path: pointer.nearest.headerPath,
  },
});
