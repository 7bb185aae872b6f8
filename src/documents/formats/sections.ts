import type { DocumentFormat } from '../chunking/chunks.ts';
import { pageAt } from '../structure/pages.ts';
import type { FilledSection } from '../structure/section.ts';
import { jsonMembers } from './json/members.ts';
import { markdownBlocks } from './markdown/blocks.ts';
import { headingText } from './markdown/heading-text.ts';
import { structureSections } from './structured/sections.ts';
import { textBlocks } from './text/paragraphs.ts';
import { yamlMembers } from './yaml/members.ts';

/** `#`, `##` and `###` start sections; deeper headings stay inside them. */
const DEEPEST = 3;

/**
 * The sections of a document, in order: Markdown by its top-level headings 1 to 3, YAML and JSON by their keys (nested
 * ones only where a value is longer than `longest` characters), text and PDF as one section. They cover the document
 * but for white space before the first one.
 */
export function sectionDocument(
  text: string,
  format: DocumentFormat,
  { pageStarts = [], longest }: { pageStarts?: readonly number[]; longest: number },
): FilledSection[] {
  if (text.trim() === '') return [];
  switch (format) {
    case 'markdown':
      return markdownSections(text, pageStarts);
    case 'yaml':
      return structureSections(text, yamlMembers(text), longest);
    case 'json':
      return structureSections(text, jsonMembers(text), longest);
    default: {
      const blocks = textBlocks(text, pageStarts);
      const charStart = blocks[0]?.start ?? 0;
      const charEnd = text.length;
      const section = { headerPath: [], level: 0, charStart, charEnd, page: pageAt(pageStarts, charStart) };
      return [{ section, blocks, hasBody: true }];
    }
  }
}

function markdownSections(text: string, pageStarts: readonly number[]): FilledSection[] {
  const sections: FilledSection[] = [];
  const open: { level: number; title: string }[] = [];
  for (const one of markdownBlocks(text)) {
    const starts = one.kind === 'heading' && one.level <= DEEPEST;
    const current = sections[sections.length - 1];
    if (current && !starts) {
      current.blocks.push(one);
      current.section.charEnd = one.end;
      // a thematic break is no content
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
