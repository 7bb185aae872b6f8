/**
 * A stretch of a document that stands on its own, as CommonMark has blocks. Blocks of one level tile their scope: a
 * block's end is the next one's start, so that white space between them belongs to the first. The kinds differ in where
 * chunking may split them:
 * - `heading`, `text`: at sentences;
 * - `preformatted`: kept whole as long as it can be, then at lines (a code fence, a table row);
 * - `table`: at rows, and the rows of a later part get its header in front;
 * - `container`: at its children (a list at its items, a quotation at its blocks, a mapping at its keys).
 */
export interface Block {
  kind: 'heading' | 'text' | 'preformatted' | 'table' | 'container';
  start: number;
  end: number;
  /** 1 to 6 of a heading, otherwise 0. */
  level: number;
  /** A heading's raw inline Markdown, otherwise empty. */
  title: string;
  /** Where a table's header ends and its first row starts. */
  headerEnd?: number;
  /** What a table or a container is split into. Made on demand: few blocks are ever split. */
  children?: () => Block[];
}

export function block(kind: Block['kind'], start: number, end: number, children?: () => Block[]): Block {
  return { kind, start, end, level: 0, title: '', ...(children && { children }) };
}

/** Ends every block where the next one starts, and the last one at `end`. */
export function tile(blocks: Block[], end: number): Block[] {
  blocks.forEach((one, i) => {
    one.end = blocks[i + 1]?.start ?? end;
  });
  return blocks;
}

/** One block a line, over the lines from `first` to before `last`. */
export function lineBlocks(
  kind: Block['kind'],
  starts: readonly number[],
  first: number,
  last: number,
): Block[] {
  const blocks: Block[] = [];
  for (let line = first; line < last; line++) {
    blocks.push(block(kind, starts[line] ?? 0, starts[line + 1] ?? 0));
  }
  return blocks;
}
