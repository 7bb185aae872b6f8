/**
 * A stretch of a document that stands on its own: what sizing moves about and cuts. Blocks of one level tile their
 * scope: a block's end is the next one's start, so that white space between them belongs to the first.
 * - `heading`, `prose`: cut at sentences;
 * - `code`: kept whole as long as it can be, then cut at lines (a fence, a table row that spans lines);
 * - `table`: cut at rows, the rows of a later part get its header in front;
 * - `group`: cut at its parts (a list at its items, a quotation at its blocks, a mapping at its keys).
 */
export interface Block {
  kind: 'heading' | 'prose' | 'code' | 'table' | 'group';
  start: number;
  end: number;
  /** 1 to 6 of a heading, otherwise 0. */
  level: number;
  /** A heading's raw inline Markdown, otherwise empty. */
  title: string;
  /** Where a table's header ends and its first row starts. */
  headerEnd?: number;
  /** What a table or a group is cut into. Made on demand: few blocks are ever cut. */
  parts?: () => Block[];
}

export function block(kind: Block['kind'], start: number, end: number, parts?: () => Block[]): Block {
  return { kind, start, end, level: 0, title: '', ...(parts && { parts }) };
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
