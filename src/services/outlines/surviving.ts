import type { OutlineNode } from '../../documents/outline/outline.ts';

/** Texts of a node's headings from the outermost to its own. */
export function headerPathOf(nodes: ReadonlyMap<string, OutlineNode>, node: OutlineNode): string[] {
  const path: string[] = [];
  for (let at: OutlineNode | undefined = node; at; at = nodes.get(at.parentId ?? '')) path.unshift(at.text);
  return path;
}

/** Nodes by id. */
export const byId = (nodes: readonly OutlineNode[]): Map<string, OutlineNode> =>
  new Map(nodes.map((node) => [node.id, node]));

const placeOf = (nodeId: string): string => nodeId.split('-', 1)[0] ?? '';

/**
 * The node of an outline that stands nearest to where a node of an earlier one stood: the heading itself when only its
 * text changed, else the deepest heading above it that is left, else the last one before it, else the next one.
 *
 * @param before the earlier outline; null when it is not known
 */
export function nearestSurviving(
  nodeId: string,
  before: readonly OutlineNode[] | null,
  now: readonly OutlineNode[],
): OutlineNode | null {
  const places = new Map<string, OutlineNode>();
  for (const node of now) if (!places.has(placeOf(node.id))) places.set(placeOf(node.id), node);
  const same = places.get(placeOf(nodeId));
  if (same || !before) return same ?? null;
  const index = before.findIndex(({ id }) => id === nodeId);
  const old = byId(before);
  for (let at = before[index]; at; at = old.get(at.parentId ?? '')) {
    const found = places.get(placeOf(at.id));
    if (found) return found;
  }
  const others = [...before.slice(0, Math.max(0, index)).reverse(), ...before.slice(index + 1)];
  for (const other of others) {
    const found = places.get(placeOf(other.id));
    if (found) return found;
  }
  return null;
}
