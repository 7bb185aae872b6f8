import type { StoredLeafText } from '../../db/leaves.ts';
import type { OutlineNode } from '../../documents/outline/outline.ts';
import { analyseText } from '../../retrieval/analyse.ts';

/** What a leaf has of one section. */
export interface SectionPart {
  node: OutlineNode;
  text: string;
  /** Share of the query's terms that the heading has. */
  headingShare: number;
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

/**
 * The sections whose own text stands in a leaf, the one with most terms of the query first: a leaf may be made of several
 * small ones, and begins in the middle of one that is long.
 *
 * @param nodes of the outline of the leaf's version, in document order
 */
export function sectionsIn(
  leaf: StoredLeafText,
  nodes: readonly OutlineNode[],
  terms: ReadonlySet<string>,
): SectionPart[] {
  // a later part of a table has its header row repeated in front of it
  const repeated = leaf.text.length - (leaf.charEnd - leaf.charStart);
  const parts: (SectionPart & { found: number })[] = [];
  for (let at = Math.max(0, firstBehind(nodes, leaf.charStart) - 1); at < nodes.length; at++) {
    const node = nodes[at];
    if (!node || node.charStart >= leaf.charEnd) break;
    if (node.bodyEnd <= leaf.charStart) continue;
    const from = Math.max(node.charStart, leaf.charStart);
    const to = Math.min(node.bodyEnd, leaf.charEnd);
    const text = leaf.text.slice(repeated + from - leaf.charStart, repeated + to - leaf.charStart);
    if (text.trim() === '') continue;
    const inHeading = share(terms, node.text);
    parts.push({ node, text, headingShare: inHeading, found: share(terms, text) + inHeading });
  }
  return parts.sort((a, b) => b.found - a.found);
}

function share(terms: ReadonlySet<string>, text: string): number {
  if (terms.size === 0) return 0;
  const there = new Set(analyseText(text));
  return [...terms].filter((term) => there.has(term)).length / terms.size;
}
