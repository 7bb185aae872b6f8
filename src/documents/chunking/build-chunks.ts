import { pageAt } from '../structure/pages.ts';
import type { ParsedSection } from '../structure/section.ts';
import { breadcrumb } from './breadcrumbs.ts';
import type { Leaf, Parent } from './chunks.ts';
import { contentHash, idMaker } from './ids.ts';
import type { LeafRun } from './leaves.ts';
import { commonPath } from './merge-sections.ts';

/** A parent to be: its leaves and the sections they may stand in. */
export interface ChunkGroup {
  sections: readonly ParsedSection[];
  leaves: LeafRun[];
}

/** Gives leaves and parents their texts, heading paths, pages and ids. */
export function nameChunks(
  { text, filename, pageStarts }: { text: string; filename: string; pageStarts: readonly number[] },
  groups: readonly ChunkGroup[],
): { parents: Parent[]; leaves: Leaf[] } {
  const leafId = idMaker('leaf', filename);
  const parentId = idMaker('par', filename);
  const parents: Parent[] = [];
  const leaves: Leaf[] = [];

  const placeOf = (sections: readonly ParsedSection[], charStart: number, charEnd: number) => {
    const headerPath = commonPath(sections, charStart, charEnd);
    const page = pageAt(pageStarts, charStart);
    return { headerPath, breadcrumb: breadcrumb(filename, headerPath), charStart, charEnd, page };
  };

  for (const group of groups) {
    const charStart = group.leaves[0]?.start;
    const charEnd = group.leaves[group.leaves.length - 1]?.end;
    if (charStart === undefined || charEnd === undefined) continue;
    const place = placeOf(group.sections, charStart, charEnd);
    const parentText = text.slice(charStart, charEnd);
    const parent: Parent = {
      id: parentId(contentHash(place.headerPath.join('\0'), parentText)),
      parentIndex: parents.length,
      ...place,
      text: parentText,
      tokens: group.leaves.reduce((sum, { size }) => sum + size, 0),
    };
    parents.push(parent);
    for (const run of group.leaves) {
      const at = placeOf(group.sections, run.start, run.end);
      const own = text.slice(run.start, run.end);
      const leafText = run.header ? text.slice(run.header.start, run.header.end) + own : own;
      const content = contentHash(at.breadcrumb, leafText);
      leaves.push({
        id: leafId(content),
        parentId: parent.id,
        leafIndex: leaves.length,
        ...at,
        text: leafText,
        tokens: run.tokens,
        contentHash: content,
        oversized: run.oversized,
      });
    }
  }
  return { parents, leaves };
}
