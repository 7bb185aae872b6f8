import type { OutlineItem, OutlineItems, OutlineLimits } from '../../structure/outline-item.ts';
import { pruneTree } from '../../structure/prune-tree.ts';
import { describe, shownText } from './describe.ts';
import type { Entry, Inside } from './entry.ts';
import { behindComment, entryStart } from './entry-range.ts';
import { titleOf } from './record-member.ts';
import { type TreeBuilder, treeBuilder } from './tree-builder.ts';

/** Deeper nesting than anyone writes is left out. */
const DEEPEST = 64;

interface Place {
  draft: OutlineItem;
  entry: Entry;
  /** What comes before this offset belongs to another node. */
  floor: number;
}

/** A tree for a reader to fill, with room for what an outline of these limits can have. */
export const outlineTree = ({ levels, nodes }: OutlineLimits): TreeBuilder =>
  // One node more than can be kept, so that a level that is too large is known to be.
  treeBuilder({ levels: Math.min(levels, DEEPEST), most: nodes + 1 });

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
  const places = placesOf(tree.documents);
  const isLeft = pruneTree(
    places.map(({ draft }) => draft.depth),
    { nodes, levels: Math.min(levels, DEEPEST) },
  );
  const drafts: OutlineItem[] = [];
  const moved: number[] = [];
  for (let i = 0; i < places.length; i++) {
    const place = places[i];
    if (!place || !isLeft[i]) continue;
    const { draft, entry, floor } = place;
    draft.parent = moved[draft.parent] ?? -1;
    draft.blurb = describe(entry);
    draft.charStart = entryStart(text, entry.start, floor, hasComments);
    draft.charEnd = hasComments ? behindComment(text, entry.end) : entry.end;
    moved[i] = drafts.push(draft) - 1;
  }
  return { items: drafts, truncated: drafts.length < places.length || tree.isCut() };
}

function placesOf(documents: readonly Entry[]): Place[] {
  const places: Place[] = [];
  const visit = (entry: Entry, text: string, parent: number, depth: number, floor: number): void => {
    const draft = { parent, depth, level: depth, text, blurb: '', charStart: 0, charEnd: 0 };
    const index = places.push({ draft, entry, floor }) - 1;
    if (entry.inside) visitInside(entry, entry.inside, index, depth + 1);
  };
  const visitInside = (entry: Entry, { entries }: Inside, parent: number, depth: number): void => {
    // a comment above the first member is below the start of the one that holds it
    let floor = parent === -1 ? -1 : entry.start;
    for (const one of entries) {
      visit(one, nameOf(one), parent, depth, floor);
      floor = one.end;
    }
  };
  const filled = documents.filter(({ inside }) => inside?.count !== 0);
  const [only] = filled;
  if (only && filled.length === 1) {
    if (only.inside) visitInside(only, only.inside, -1, 1);
    if (places.length === 0) visit(only, 'Document', -1, 1, -1);
    return places;
  }
  let floor = -1;
  for (const [i, document] of filled.entries()) {
    visit(document, documentName(document, i), -1, 1, floor);
    floor = document.end;
  }
  return places;
}

function nameOf({ key, inside }: Entry): string {
  if (key !== null) return shownText(key);
  const title = inside ? titleOf(inside) : '';
  return title === '' ? `[${inside?.index ?? 0}]` : shownText(title);
}

function documentName({ inside }: Entry, index: number): string {
  const title = inside ? titleOf(inside) : '';
  return title === '' ? `Document ${index + 1}` : shownText(title);
}
