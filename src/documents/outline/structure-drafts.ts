import { describe, shownText } from './describe.ts';
import type { Draft, DraftLimits, Drafts } from './draft.ts';
import type { Entry } from './entry.ts';
import { entryRange } from './entry-range.ts';
import { largestTree } from './largest-tree.ts';
import { titleOf } from './note-member.ts';

/** Deeper nesting than anyone writes is left out. */
export const DEEPEST = 64;

interface Place {
  entry: Entry;
  parent: number;
  depth: number;
  text: string;
  floor: number;
}

/**
 * A node for each key, and for the elements of an array that are objects or arrays: named by a telling key, or by
 * their index for the first ten. Each of several documents is a node above its keys. What has no keys at all is one
 * node.
 */
export function structureDrafts(
  text: string,
  documents: readonly Entry[],
  { levels, nodes }: DraftLimits,
  hasComments: boolean,
): Drafts {
  const places = placesOf(documents);
  const isLeft = largestTree(
    places.map(({ depth }) => depth),
    { nodes, levels: Math.min(levels, DEEPEST) },
  );
  const drafts: Draft[] = [];
  const moved: number[] = [];
  for (const [i, place] of places.entries()) {
    if (!isLeft[i]) continue;
    const { start, end } = entryRange(text, place.entry, place.floor, hasComments);
    moved[i] = drafts.length;
    drafts.push({
      parent: moved[place.parent] ?? -1,
      depth: place.depth,
      level: place.depth,
      text: place.text,
      blurb: describe(place.entry),
      charStart: start,
      charEnd: end,
    });
  }
  return { drafts, truncated: drafts.length < places.length };
}

function placesOf(documents: readonly Entry[]): Place[] {
  const places: Place[] = [];
  const visit = (entry: Entry, text: string, parent: number, depth: number, floor: number): void => {
    const index = places.push({ entry, parent, depth, text, floor }) - 1;
    visitInside(entry, index, depth + 1);
  };
  const visitInside = (entry: Entry, parent: number, depth: number): void => {
    // a comment above the first member is below the start of the one that holds it
    let floor = parent === -1 ? -1 : entry.start;
    for (const one of entry.inside?.entries ?? []) {
      visit(one, nameOf(one), parent, depth, floor);
      floor = one.end;
    }
  };
  const filled = documents.filter(({ inside }) => inside?.count !== 0);
  const [only] = filled;
  if (only && filled.length === 1) {
    visitInside(only, -1, 1);
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
