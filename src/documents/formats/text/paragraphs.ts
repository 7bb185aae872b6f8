import { type Block, block, tile } from '../../structure/blocks.ts';

/** The paragraphs of a plain text, parted by blank lines; `breaks` (where pages start, ascending) part them too. */
export function paragraphBlocks(text: string, breaks: readonly number[] = []): Block[] {
  const blocks: Block[] = [];
  let next = 0;
  let pending = true;
  const lines = /[^\r\n]*(?:\r\n?|\n|$)/g;
  for (let match = lines.exec(text); match && match.index < text.length; match = lines.exec(text)) {
    while (next < breaks.length && (breaks[next] ?? 0) <= match.index) {
      pending = true;
      next++;
    }
    if (match[0].trim() === '') {
      pending = true;
    } else if (pending) {
      blocks.push(block('text', match.index, match.index));
      pending = false;
    }
  }
  return tile(blocks, text.length);
}
