import { estimateTokens } from '../../text/token-estimate.ts';
import { pruneTree } from '../structure/prune-tree.ts';
import type { OutlineNode } from './outline.ts';

export interface OutlineBudget {
  /** Depths from the top, whatever the headings' numbers are. */
  levels?: number;
  maxNodes?: number;
  /** Tokens of what is sent. */
  maxTokens?: number;
  includeBlurbs: boolean;
}

interface TrimmedOutline {
  /** In the order given; every node's parent is among them. */
  nodes: OutlineNode[];
  /** Something was left out. */
  truncated: boolean;
  /** Estimated, of the nodes as JSON. */
  tokens: number;
}

/** What a node's ids, numbers and names of fields come to as JSON; hexadecimal digits are dear. */
const TOKENS_OF_THE_REST = 85;

/**
 * Fits an outline into a budget: whole levels are left out, the deepest first, and of the top level its last nodes. A
 * node whose parent is not among those given counts as one of the top level.
 */
export function trimOutline(
  nodes: readonly OutlineNode[],
  { levels = Infinity, maxNodes = Infinity, maxTokens = Infinity, includeBlurbs }: OutlineBudget,
): TrimmedOutline {
  const depthOf = new Map<string, number>();
  const depths = nodes.map(({ id, parentId }) => {
    const depth = parentId === null ? 1 : (depthOf.get(parentId) ?? 0) + 1;
    depthOf.set(id, depth);
    return depth;
  });
  const costs = nodes.map(
    ({ text, blurb }) => TOKENS_OF_THE_REST + estimateTokens(includeBlurbs ? `${text} ${blurb}` : text),
  );
  const isKept = pruneTree(depths, { nodes: maxNodes, tokens: maxTokens, levels }, costs);
  const kept = nodes.filter((_, i) => isKept[i]);
  const tokens = costs.reduce((sum, cost, i) => sum + (isKept[i] ? cost : 0), 0);
  return { nodes: kept, truncated: kept.length < nodes.length, tokens };
}
