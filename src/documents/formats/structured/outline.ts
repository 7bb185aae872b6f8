import type { OutlineItem, OutlineItems, OutlineLimits } from '../../structure/outline-item.ts';
import { pruneTree } from '../../structure/prune-tree.ts';
import { describe, shownText } from './describe.ts';
import type { Collection, Entry } from './entry.ts';
import { behindComment, entryStart } from './entry-range.ts';
import { titleOf } from './record-member.ts';
import { TreeBuilder } from './tree-builder.ts';

/** Deeper nesting than anyone writes is left out. */
const DEEPEST = 64;

interface Candidate {
  item: OutlineItem;
  entry: Entry;
  /** What comes before this offset belongs to another node. */
  floor: number;
}

/** A tree for a reader to fill, with room for what an outline of these limits can have. */
export const outlineTree = ({ levels, nodes }: OutlineLimits): TreeBuilder =>
  // One node more than can be kept, so that a level that is too large is known to be.
  new TreeBuilder({ levels: Math.min(levels, DEEPEST), nodesPerLevel: nodes + 1 });

/**
 * A node for each key, and for the elements of an array that are objects or arrays: named by a telling key, or by
 * their index for the first ten. Each of several documents is a node above its keys. What has no keys at all is one
 * node.
 */
export function treeOutline(
  text: string,
  tree: TreeBuilder,
  { levels, nodes }: OutlineLimits,
  hasComments: boolean,
): OutlineItems {
  const candidates = candidatesOf(tree.documents);
  const isKept = pruneTree(
    candidates.map(({ item }) => item.depth),
    { nodes, levels: Math.min(levels, DEEPEST) },
  );
  const items: OutlineItem[] = [];
  const places: number[] = [];
  for (const [i, { item, entry, floor }] of candidates.entries()) {
    if (!isKept[i]) continue;
    item.parent = places[item.parent] ?? -1;
    item.blurb = describe(entry);
    item.charStart = entryStart(text, entry.start, floor, hasComments);
    item.charEnd = hasComments ? behindComment(text, entry.end) : entry.end;
    places[i] = items.push(item) - 1;
  }
  return { items, truncated: items.length < candidates.length || tree.isCut };
}

function candidatesOf(documents: readonly Entry[]): Candidate[] {
  const found: Candidate[] = [];
  const visit = (entry: Entry, text: string, parent: number, depth: number, floor: number): void => {
    const item = { parent, depth, level: depth, text, blurb: '', charStart: 0, charEnd: 0 };
    const index = found.push({ item, entry, floor }) - 1;
    if (entry.collection) visitEntries(entry, entry.collection, index, depth + 1);
  };
  const visitEntries = (entry: Entry, { entries }: Collection, parent: number, depth: number): void => {
    // A comment above the first member is below the start of the one that holds it.
    let floor = parent === -1 ? -1 : entry.start;
    for (const one of entries) {
      visit(one, nameOf(one), parent, depth, floor);
      floor = one.end;
    }
  };
  const filled = documents.filter(({ collection }) => collection?.count !== 0);
  const [only] = filled;
  if (only && filled.length === 1) {
    if (only.collection) visitEntries(only, only.collection, -1, 1);
    if (found.length === 0) visit(only, 'Document', -1, 1, -1);
    return found;
  }
  let floor = -1;
  for (const [i, document] of filled.entries()) {
    visit(document, documentName(document, i), -1, 1, floor);
    floor = document.end;
  }
  return found;
}

function nameOf({ key, collection }: Entry): string {
  if (key !== null) return shownText(key);
  const title = collection ? titleOf(collection) : '';
  return title === '' ? `[${collection?.index ?? 0}]` : shownText(title);
}

function documentName({ collection }: Entry, index: number): string {
  const title = collection ? titleOf(collection) : '';
  return title === '' ? `Document ${index + 1}` : shownText(title);
}
