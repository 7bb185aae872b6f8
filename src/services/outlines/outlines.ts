import type { Outline } from '../../contract/outline.ts';
import type { Database } from '../../db/database.ts';
import type { OutlinedFile } from '../../db/outlines.ts';
import type { OutlineNode } from '../../documents/outline/outline.ts';
import { type OutlineBudget, trimOutline } from '../../documents/outline/trim.ts';
import type { Scope } from '../../scope.ts';
import { outlinePointer, versionId } from './pointer-id.ts';
import { RETRY_AFTER_MS, requireOutlinedFile, type Standing, standingOf } from './standing.ts';
import type { StoredOutlines } from './stored-outlines.ts';
import type { OutlineTelemetry } from './telemetry.ts';

/** What there is to show of an outline before anything was read. */
const nothingYet = (
  file: OutlinedFile,
  state: Standing['state'],
  detail: string | null,
  retryAfterMs: number | null,
): Outline => ({
  object: 'outline',
  filename: file.name,
  state,
  is_stale: false,
  detail,
  retry_after_ms: retryAfterMs,
  version: null,
  version_id: null,
  generated_at: null,
  outline_digest: null,
  nodes: [],
  total_nodes: 0,
  truncated: false,
  guardrail: null,
  token_estimate: 0,
  tokens: 0,
});

/** Nodes as they are shown, each with those of its children that are among them. */
function shownNodes(
  nodes: readonly OutlineNode[],
  filename: string,
  includeBlurbs: boolean,
): Outline['nodes'] {
  const children = new Map<string, string[]>();
  for (const { id, parentId } of nodes) {
    children.set(id, []);
    if (parentId !== null) children.get(parentId)?.push(id);
  }
  return nodes.map((node) => ({
    id: node.id,
    parent_id: node.parentId,
    level: node.level,
    text: node.text,
    char_range: { start: node.charStart, end: node.charEnd },
    chunk_id: node.chunkId,
    blurb: includeBlurbs ? node.blurb : null,
    token_estimate: node.tokenEstimate,
    pointer_id: outlinePointer(filename, node.id),
    children: children.get(node.id) ?? [],
  }));
}

/** What stands for an outline as it is now: its digest, and something else while it is out of date. */
export const outlineTag = (digest: string, state: Standing['state']): string =>
  state === 'ready' ? digest : `${digest}-${state}`;

export interface OutlineServiceDeps {
  db: Database;
  stored: StoredOutlines;
  telemetry: OutlineTelemetry;
}

/** The use case of an outline. */
export function createOutlineReader({ db, stored, telemetry }: OutlineServiceDeps) {
  return {
    /**
     * The outline of a file within a budget.
     *
     * @param isKnown whether the caller has the outline of this tag already
     * @returns null when it has
     * @throws AppError `project_not_found`, `file_not_found`
     */
    async outline(
      scope: Scope,
      name: string,
      budget: OutlineBudget,
      isKnown: (tag: string) => boolean,
    ): Promise<Outline | null> {
      const file = await requireOutlinedFile(db, scope, name);
      const standing = standingOf(file);
      const { state, version, detail } = standing;
      if (version === null) {
        const isComing = state === 'pending' && file.status !== 'failed';
        return nothingYet(file, state, detail, isComing ? RETRY_AFTER_MS : null);
      }
      if (state === 'stale') telemetry.add('staleHits');
      if (file.digest !== null && isKnown(outlineTag(file.digest, state))) {
        telemetry.add('notModified');
        telemetry.add('tokensSaved', file.tokenEstimate);
        return null;
      }
      const outline = await stored.load(scope, file, version);
      if (!outline) {
        return nothingYet(file, 'pending', 'The outline is being made again.', RETRY_AFTER_MS);
      }
      const trimmed = trimOutline(outline.nodes, budget);
      telemetry.add('tokensSaved', Math.max(0, file.tokenEstimate - trimmed.tokens));
      const isComing = state === 'stale' && file.status !== 'failed';
      return {
        object: 'outline',
        filename: file.name,
        state,
        is_stale: state === 'stale',
        detail,
        retry_after_ms: isComing ? RETRY_AFTER_MS : null,
        version,
        version_id: versionId(file.fileId, version),
        generated_at: file.outlinedAt?.toISOString() ?? null,
        outline_digest: outline.digest,
        nodes: shownNodes(trimmed.nodes, file.name, budget.includeBlurbs),
        total_nodes: outline.nodes.length,
        truncated: trimmed.truncated || outline.truncated,
        guardrail: outline.guardrail,
        token_estimate: file.tokenEstimate,
        tokens: trimmed.tokens,
      };
    },
  };
}
