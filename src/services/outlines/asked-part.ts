import type { OutlineNode } from '../../documents/outline/outline.ts';
import { byId, headerPathOf } from './surviving.ts';

/** The part of a document that a question is about. */
export interface AskedPart {
  /** All nodes of the outline. */
  nodes: ReadonlyMap<string, OutlineNode>;
  /** Those that may be an answer, in document order. */
  wanted: readonly OutlineNode[];
  /** Whether a leaf counts only if it has a part of a wanted section. */
  isNarrowed: boolean;
  /** Headings that leaves are chosen by where there is no outline to choose by. */
  leafPath: string[];
}

/**
 * Narrows a document down to the sections under some headings.
 *
 * @param outline null: there is none yet
 * @param headerPath outermost first; empty: the whole document
 */
export function askedPart(
  outline: { nodes: readonly OutlineNode[] } | null,
  headerPath: string[],
): AskedPart {
  const all = outline?.nodes ?? [];
  const nodes = byId(all);
  // a leaf made of several small sections has their common header path only: the outline knows each
  const isUnder = (node: OutlineNode): boolean => {
    const path = headerPathOf(nodes, node);
    return headerPath.every((heading, index) => path[index] === heading);
  };
  return {
    nodes,
    wanted: headerPath.length === 0 ? all : all.filter(isUnder),
    isNarrowed: outline !== null && headerPath.length > 0,
    leafPath: outline ? [] : headerPath,
  };
}
