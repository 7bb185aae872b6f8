import type { Token } from 'markdown-it';
import { lineStarts } from '../../../text/lines.ts';
import { type Block, block, lineBlocks, tile } from '../../structure/blocks.ts';
import type { BlockTokens } from './block-tokens.ts';

interface Source {
  text: string;
  tokens: Token[];
  /** Offsets of the lines the parser saw. */
  starts: number[];
}

/**
 * The top-level blocks of a Markdown text, by CommonMark's rules and GFM's tables. Together they cover the text from
 * the first block to its end; front matter is a block of its own. Offsets are into the text as given.
 */
export function markdownBlocks(text: string, { tokens, starts }: BlockTokens): Block[] {
  const blocks = blocksOf({ text, tokens, starts }, 0, tokens.length, starts.length - 1);
  const first = blocks[0]?.start ?? text.length;
  // What comes before is front matter, or nothing.
  if (text.slice(0, first).trim() !== '') {
    const lines = lineStarts(text.slice(0, first));
    blocks.unshift(block('container', 0, first, () => lineBlocks('text', lines, 0, lines.length - 1)));
  }
  return tile(blocks, text.length);
}

/** The outermost blocks among the tokens from `first` to before `last`, in lines before `endLine`. */
function blocksOf(source: Source, first: number, last: number, endLine: number): Block[] {
  const blocks: Block[] = [];
  const end = source.starts[endLine] ?? source.text.length;
  for (let i = first; i < last; i++) {
    const token = source.tokens[i];
    if (!token?.map) continue;
    const closing = token.nesting === 1 ? closingIndex(source.tokens, i) : i;
    const start = source.starts[token.map[0]] ?? end;
    // Two blocks of one line (`- > text`) are one stretch: the first stands for both.
    if (start < end && start !== blocks[blocks.length - 1]?.start) {
      blocks.push(blockOf(source, token, i, closing, start));
    }
    i = closing;
  }
  return tile(blocks, end);
}

function blockOf(source: Source, token: Token, index: number, closing: number, start: number): Block {
  const [line, endLine] = token.map ?? [0, 0];
  switch (token.type) {
    case 'heading_open':
      return {
        ...block('heading', start, start),
        level: Number(token.tag.slice(1)),
        title: source.tokens[index + 1]?.content ?? '',
      };
    case 'fence':
    case 'code_block':
      return block('preformatted', start, start);
    case 'table_open':
      return {
        ...block('table', start, start, () => lineBlocks('preformatted', source.starts, line + 2, endLine)),
        headerEnd: source.starts[line + 2] ?? start,
      };
    case 'html_block':
      return htmlBlock(source, line, endLine, start);
    case 'bullet_list_open':
    case 'ordered_list_open':
    case 'list_item_open':
    case 'blockquote_open':
      return block('container', start, start, () => blocksOf(source, index + 1, closing, endLine));
    default:
      return block('text', start, start);
  }
}

/** A line on which a row of a table begins, the first one perhaps behind the tags around it. */
const ROW_START = /^[ \t]{0,40}(?:<(?:table|thead|tbody)(?:[ \t][^<>]{0,200})?>[ \t]{0,40}){0,2}<tr[\s>]/i;

/** Raw HTML is cut at lines; a table in it (one with merged cells, say) at its rows, those of its header taken together. */
function htmlBlock(source: Source, line: number, endLine: number, start: number): Block {
  const rows: number[] = [];
  for (let at = line; at < endLine; at++) {
    const from = source.starts[at] ?? 0;
    if (ROW_START.test(source.text.slice(from, from + 600))) rows.push(from);
  }
  const headerRows = countHeaderRows(source.text, rows);
  const headerEnd = rows[headerRows];
  if (headerEnd === undefined) {
    return block('container', start, start, () => lineBlocks('text', source.starts, line, endLine));
  }
  const end = source.starts[endLine] ?? source.text.length;
  const body = () =>
    tile(
      rows.slice(headerRows).map((from) => block('preformatted', from, from)),
      end,
    );
  return { ...block('table', start, start, body), headerEnd };
}

/** How many rows at the top have header cells alone. Without one the first row is the header, as in most tables. */
function countHeaderRows(text: string, rows: readonly number[]): number {
  const end = rows.findIndex((from, i) => {
    const row = text.slice(from, rows[i + 1]);
    return !/<th[\s>]/i.test(row) || /<td[\s>]/i.test(row);
  });
  return Math.max(end, 1);
}

function closingIndex(tokens: Token[], opening: number): number {
  const level = tokens[opening]?.level;
  let i = opening + 1;
  while (i < tokens.length && !(tokens[i]?.level === level && tokens[i]?.nesting === -1)) i++;
  return i;
}
