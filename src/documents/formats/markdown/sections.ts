import { pageAt } from '../../structure/pages.ts';
import type { ParsedSection } from '../../structure/section.ts';
import type { BlockTokens } from './block-tokens.ts';
import { markdownBlocks } from './blocks.ts';
import { headingText } from './heading-text.ts';

/** `#`, `##` and `###` start sections; deeper headings stay inside them. */
const DEEPEST = 3;

/** The sections of a Markdown text, by its top-level headings of level 1 to 3. */
export function markdownSections(
  text: string,
  parsed: BlockTokens,
  pageStarts: readonly number[],
): ParsedSection[] {
  const sections: ParsedSection[] = [];
  const open: { level: number; title: string }[] = [];
  for (const one of markdownBlocks(text, parsed)) {
    const starts = one.kind === 'heading' && one.level <= DEEPEST;
    const current = sections[sections.length - 1];
    if (current && !starts) {
      current.blocks.push(one);
      current.section.charEnd = one.end;
      // A thematic break is no content.
      current.hasBody ||= one.end - one.start > 100 || !/^[\s*_-]*$/.test(text.slice(one.start, one.end));
      continue;
    }
    if (starts) {
      while ((open[open.length - 1]?.level ?? 0) >= one.level) open.pop();
      open.push({ level: one.level, title: headingText(one.title) });
    }
    sections.push({
      section: {
        headerPath: open.map(({ title }) => title).filter((title) => title !== ''),
        level: starts ? one.level : 0,
        charStart: one.start,
        charEnd: one.end,
        page: pageAt(pageStarts, one.start),
      },
      blocks: [one],
      hasBody: !starts,
    });
  }
  return sections;
}
