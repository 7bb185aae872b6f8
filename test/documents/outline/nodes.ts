import type { DocumentFormat } from '../../../src/documents/formats/registry.ts';
import { buildOutline, type OutlineNode } from '../../../src/documents/outline/outline.ts';
import { parseDocument } from '../../helpers/parse-document.ts';

export const nodesOf = (text: string, format: DocumentFormat): OutlineNode[] =>
  buildOutline(parseDocument({ text, format }), []).nodes;

/** Nodes as lines, indented by their depth in the tree: `2 Costs`. */
export function treeOf(nodes: readonly OutlineNode[], more?: (node: OutlineNode) => string): string[] {
  const depths = new Map<string, number>();
  return nodes.map((node) => {
    const depth = node.parentId === null ? 0 : (depths.get(node.parentId) ?? 0) + 1;
    depths.set(node.id, depth);
    return `${'  '.repeat(depth)}${node.text}${more ? `: ${more(node)}` : ''}`;
  });
}
