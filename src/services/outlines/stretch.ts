import type { Queryable } from '../../db/database.ts';
import { readMarkdown } from '../../db/file-versions.ts';
import { findLeaf } from '../../db/leaves.ts';
import type { OutlinedFile } from '../../db/outlines.ts';
import type { Outline } from '../../documents/outline/outline.ts';
import type { Scope } from '../../scope.ts';
import { byId, headerPathOf } from './surviving.ts';

/** A stretch of a version that a pointer leads to. */
export interface Stretch {
  headerPath: string[];
  text: string;
  start: number;
  end: number;
  tokenEstimate: number;
}

/** A version of a file with its outline. */
export interface OutlinedVersion {
  version: number;
  outline: Outline;
}

/** The section of an outline node; null when the version has no such node. */
export async function sectionStretch(
  db: Queryable,
  scope: Scope,
  file: OutlinedFile,
  { version, outline }: OutlinedVersion,
  nodeId: string,
): Promise<Stretch | null> {
  const nodes = byId(outline.nodes);
  const node = nodes.get(nodeId);
  const markdown = node && (await readMarkdown(db, scope, file.fileId, version));
  if (!node || typeof markdown !== 'string') return null;
  const { charStart: start, charEnd: end, tokenEstimate } = node;
  return {
    headerPath: headerPathOf(nodes, node),
    text: markdown.slice(start, end),
    start,
    end,
    tokenEstimate,
  };
}

/** A leaf of the searchable version; null when it has no such leaf. */
export async function chunkStretch(
  db: Queryable,
  scope: Scope,
  file: OutlinedFile,
  leafId: string,
): Promise<Stretch | null> {
  const leaf = await findLeaf(db, scope, file.fileId, leafId);
  if (!leaf) return null;
  const { headerPath, text, charStart: start, charEnd: end, tokens: tokenEstimate } = leaf;
  return { headerPath, text, start, end, tokenEstimate };
}
