import { pageAt } from '../../structure/pages.ts';
import type { DocumentStructure } from '../../structure/parsed-document.ts';
import { pageOutline, paragraphOutline } from './outline.ts';
import { paragraphBlocks } from './paragraphs.ts';

/** Plain text is one section of paragraphs. Its outline are its pages, or its paragraphs where there are none. */
export function plainTextStructure(text: string, pageStarts: readonly number[]): DocumentStructure {
  const blocks = paragraphBlocks(text, pageStarts);
  return {
    sections: () => {
      const charStart = blocks[0]?.start ?? 0;
      const page = pageAt(pageStarts, charStart);
      const section = { headerPath: [], level: 0, charStart, charEnd: text.length, page };
      return [{ section, blocks, hasBody: true }];
    },
    outline: ({ nodes }) =>
      pageStarts.length > 0 ? pageOutline(text, pageStarts, nodes) : paragraphOutline(text, blocks, nodes),
  };
}
