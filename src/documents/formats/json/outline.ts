import type { OutlineItems, OutlineLimits } from '../../structure/outline-item.ts';
import { outlineTree, treeOutline } from '../structured/outline.ts';
import { paragraphOutline } from '../text/outline.ts';
import { paragraphBlocks } from '../text/paragraphs.ts';
import { readJson } from './read-json.ts';

/** The outline of a JSON text by its keys; by its paragraphs when there is no structure in it. */
export function jsonOutline(text: string, limits: OutlineLimits): OutlineItems {
  const tree = outlineTree(limits);
  const isSound = readJson(text, tree);
  const hasStructure = tree.documents.some(({ collection }) => collection);
  if (!isSound && !hasStructure) return paragraphOutline(text, paragraphBlocks(text), limits.nodes);
  return treeOutline(text, tree, limits, false);
}
