import type { DocumentStructure } from '../../structure/parsed-document.ts';
import { blockTokens } from './block-tokens.ts';
import { markdownOutline } from './outline.ts';
import { markdownSections } from './sections.ts';

/** Sections and outline of a Markdown text, both from one run of the block parser, which is most of the work. */
export function markdownStructure(text: string, pageStarts: readonly number[]): DocumentStructure {
  const parsed = blockTokens(text);
  return {
    sections: () => markdownSections(text, parsed, pageStarts),
    outline: (limits) => markdownOutline(text, parsed, limits),
  };
}
