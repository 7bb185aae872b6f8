import type { Database } from '../../db/database.ts';
import type { OutlinedFile } from '../../db/outlines.ts';
import type { OutlineNode } from '../../documents/outline/outline.ts';
import { type OutlineBudget, trimOutline } from '../../documents/outline/trim.ts';
import type { Scope } from '../../scope.ts';
import { RETRY_AFTER_MS, requireOutlinedFile, type Standing, standingOf } from './standing.ts';
import type { StoredOutlines } from './stored-outlines.ts';
import type { OutlineTelemetry } from './telemetry.ts';

/** An outline, or what is to be said in its place: there are no nodes then. */
export interface OutlineAnswer {
  filename: string;
  state: Standing['state'];
  detail: string | null;
  retryAfterMs: number | null;
  fileId: string;
  version: number | null;
  generatedAt: Date | null;
  digest: string | null;
  nodes: OutlineNode[];
  /** Nodes of the whole outline. */
  totalNodes: number;
  truncated: boolean;
  guardrail: string | null;
  /** Tokens of the whole document, and about those of the nodes given. */
  tokenEstimate: number;
  tokens: number;
}

const nothingYet = (
  file: OutlinedFile,
  state: Standing['state'],
  detail: string | null,
  retryAfterMs: number | null,
): OutlineAnswer => ({
  filename: file.name,
  state,
  detail,
  retryAfterMs,
  fileId: file.fileId,
  version: null,
  generatedAt: null,
  digest: null,
  nodes: [],
  totalNodes: 0,
  truncated: false,
  guardrail: null,
  tokenEstimate: 0,
  tokens: 0,
});

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
    ): Promise<OutlineAnswer | null> {
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
        filename: file.name,
        state,
        detail,
        retryAfterMs: isComing ? RETRY_AFTER_MS : null,
        fileId: file.fileId,
        version,
        generatedAt: file.outlinedAt,
        digest: outline.digest,
        nodes: trimmed.nodes,
        totalNodes: outline.nodes.length,
        truncated: trimmed.truncated || outline.truncated,
        guardrail: outline.guardrail,
        tokenEstimate: file.tokenEstimate,
        tokens: trimmed.tokens,
      };
    },
  };
}
