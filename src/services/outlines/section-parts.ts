import type { StoredLeafText } from '../../db/leaves.ts';
import type { OutlineNode } from '../../documents/outline/outline.ts';
import type { TermsAsked } from '../../text/asked-terms.ts';

/** What a leaf has of one section. */
export interface SectionPart {
  node: OutlineNode;
  text: string;
}

/** Index of the first node that starts behind an offset; nodes stand in document order. */
function firstBehind(nodes: readonly OutlineNode[], offset: number): number {
  let low = 0;
  let high = nodes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((nodes[middle]?.charStart ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The sections whose own text stands in a leaf, in document order, with what each has there. */
function* partsIn(leaf: StoredLeafText, nodes: readonly OutlineNode[]): Generator<SectionPart> {
  // a later part of a table has its header row repeated in front of it
  const repeated = leaf.text.length - (leaf.charEnd - leaf.charStart);
  for (let at = Math.max(0, firstBehind(nodes, leaf.charStart) - 1); at < nodes.length; at++) {
    const node = nodes[at];
    if (!node || node.charStart >= leaf.charEnd) break;
    if (node.bodyEnd <= leaf.charStart) continue;
    const from = Math.max(node.charStart, leaf.charStart);
    const to = Math.min(node.bodyEnd, leaf.charEnd);
    const text = leaf.text.slice(repeated + from - leaf.charStart, repeated + to - leaf.charStart);
    if (text.trim() !== '') yield { node, text };
  }
}

/**
 * The section of a leaf that has most terms of the query: a leaf may be made of several small ones, and begins in the
 * middle of one that is long.
 *
 * @param nodes of the outline of the leaf's version, in document order
 */
export function sectionIn(
  leaf: StoredLeafText,
  nodes: readonly OutlineNode[],
  terms: TermsAsked,
): SectionPart | null {
  const parts = [...partsIn(leaf, nodes)];
  if (parts.length < 2) return parts[0] ?? null;
  const found = parts.map(({ node, text }) => termShare(terms, text) + termShare(terms, node.text));
  return parts[found.indexOf(Math.max(...found))] ?? null;
}

/** Share of the terms that a text has. */
export const termShare = (terms: TermsAsked, text: string): number =>
  terms.size === 0 ? 0 : terms.foundIn(text) / terms.size;
