import { pageAt } from '../structure/pages.ts';
import type { ParsedSection } from '../structure/section.ts';
import { breadcrumb } from './breadcrumbs.ts';
import type { Leaf, Parent } from './chunks.ts';
import { commonHeaderPath } from './header-path.ts';
import { contentHash, idMaker } from './ids.ts';
import type { LeafSpan } from './leaves.ts';

/** A parent by where its leaves stand, with the sections that they may stand in. */
export interface ParentSpan {
  sections: readonly ParsedSection[];
  leaves: LeafSpan[];
}

/** Gives leaves and parents their texts, heading paths, pages and ids. */
export function buildChunks(
  { text, filename, pageStarts }: { text: string; filename: string; pageStarts: readonly number[] },
  spans: readonly ParentSpan[],
): { parents: Parent[]; leaves: Leaf[] } {
  const leafId = idMaker('leaf', filename);
  const parentId = idMaker('par', filename);
  const parents: Parent[] = [];
  const leaves: Leaf[] = [];

  const placeOf = (sections: readonly ParsedSection[], charStart: number, charEnd: number) => {
    const headerPath = commonHeaderPath(sections, charStart, charEnd);
    const page = pageAt(pageStarts, charStart);
    return { headerPath, breadcrumb: breadcrumb(filename, headerPath), charStart, charEnd, page };
  };

  for (const { sections, leaves: leafSpans } of spans) {
    const charStart = leafSpans[0]?.start;
    const charEnd = leafSpans[leafSpans.length - 1]?.end;
    if (charStart === undefined || charEnd === undefined) continue;
    const place = placeOf(sections, charStart, charEnd);
    const parentText = text.slice(charStart, charEnd);
    const parent: Parent = {
      id: parentId(contentHash(place.headerPath.join('\0'), parentText)),
      parentIndex: parents.length,
      ...place,
      text: parentText,
      tokens: leafSpans.reduce((sum, { size }) => sum + size, 0),
    };
    parents.push(parent);
    for (const { start, end, header, tokens, oversized } of leafSpans) {
      const at = placeOf(sections, start, end);
      const own = text.slice(start, end);
      const leafText = header ? text.slice(header.start, header.end) + own : own;
      const content = contentHash(at.breadcrumb, leafText);
      leaves.push({
        id: leafId(content),
        parentId: parent.id,
        leafIndex: leaves.length,
        ...at,
        text: leafText,
        tokens,
        contentHash: content,
        oversized,
      });
    }
  }
  return { parents, leaves };
}
