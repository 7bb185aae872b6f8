import { type Block, block, lineBlocks, tile } from '../../structure/blocks.ts';
import type { DocumentStructure } from '../../structure/parsed-document.ts';
import { plainTextStructure } from '../text/structure.ts';
import { tableOutline } from './outline.ts';
import { findTable, lineAt, type TableParts } from './stored-table.ts';

/**
 * Reads a table as `write-table.ts` writes it, as one section. Its heading are the columns, so that each leaf and each
 * parent, whatever rows are in it, says what they are; records say it themselves. Another text is read as plain text.
 */
export function tableStructure(text: string, pageStarts: readonly number[]): DocumentStructure {
  const table = findTable(text);
  if (!table) return plainTextStructure(text, pageStarts);
  const heading = table.isRecords ? { headerPath: [], level: 0 } : { headerPath: [table.title], level: 1 };
  const section = { ...heading, charStart: 0, charEnd: text.length, page: null };
  return {
    sections: () => [{ section, blocks: tableBlocks(text, table), hasBody: true }],
    outline: (limits) => tableOutline(text, table, limits),
  };
}

function tableBlocks(text: string, { start, headerEnd, rowStarts, isRecords }: TableParts): Block[] {
  const remarks = start > 0 ? [block('text', 0, start)] : [];
  const rows = (): Block[] => lineBlocks('preformatted', rowStarts, 0, rowStarts.length - 1);
  const blocks = isRecords
    ? [block('text', start, headerEnd), ...rows().map((row) => recordBlock(text, row))]
    : [{ ...block('table', start, text.length, rows), headerEnd }];
  return tile([...remarks, ...blocks], text.length);
}

/** A record is cut between its cells, and its first line, which tells whose they are, is repeated. */
function recordBlock(text: string, { start, end }: Block): Block {
  const cells = (): Block[] => {
    const items = text.slice(start, end).matchAll(/\n(?=- )/g);
    return Array.from(items, ({ index }) => block('text', start + index + 1, end));
  };
  return { ...block('table', start, end, cells), headerEnd: lineAt(text, start)[1] };
}
