export interface TreeBudget {
  /** Most nodes. */
  nodes: number;
  /** Most tokens of all nodes together. */
  tokens?: number;
  /** Most levels. */
  levels?: number;
}

/**
 * Which nodes of a tree are left under a budget: whole levels, the deepest go first; when the top level alone is too
 * much, its first nodes. So every node that is left has its parent.
 *
 * @param depths of the nodes, from 1
 * @param costs tokens of the nodes, where there is a budget for them
 */
export function pruneTree(
  depths: readonly number[],
  { nodes, tokens = Infinity, levels = Infinity }: TreeBudget,
  costs: readonly number[] = [],
): boolean[] {
  const counts: number[] = [];
  const sums: number[] = [];
  for (const [i, depth] of depths.entries()) {
    counts[depth] = (counts[depth] ?? 0) + 1;
    sums[depth] = (sums[depth] ?? 0) + (costs[i] ?? 0);
  }
  let deepest = 0;
  let count = 0;
  let cost = 0;
  while (deepest < levels && deepest + 1 < counts.length) {
    count += counts[deepest + 1] ?? 0;
    cost += sums[deepest + 1] ?? 0;
    if (count > nodes || cost > tokens) break;
    deepest++;
  }
  if (deepest > 0 || levels < 1) return depths.map((depth) => depth <= deepest);
  return firstRoots(depths, { nodes, tokens }, costs);
}

function firstRoots(
  depths: readonly number[],
  { nodes, tokens }: { nodes: number; tokens: number },
  costs: readonly number[],
): boolean[] {
  let count = 0;
  let cost = 0;
  return depths.map((depth, i) => {
    if (depth !== 1) return false;
    count++;
    cost += costs[i] ?? 0;
    return count <= nodes && cost <= tokens;
  });
}
