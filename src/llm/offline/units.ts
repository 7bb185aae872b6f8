import type { AnswerFacts } from '../model.ts';
import { isFurniture, linesOfText, repeatedLines } from './furniture.ts';
import { sentencesOf } from './sentences.ts';

export type Passage = AnswerFacts['passages'][number];

/** Something of a passage that says something by itself: nothing of it is ever quoted in part. */
export interface Unit {
  passage: Passage;
  /** Its place among the passages, from 0. */
  rank: number;
  /** As it stands in the passage; of a row the cells. */
  text: string;
  /** As a reply shows it. */
  shown: string;
  /** What it is understood by: the header of a row. */
  context: string;
}

/** Characters of a sentence, or of a row with its header. What is longer is not quoted: it would have to be cut. */
const LONGEST = 900;
const SHORTEST = 12;
const LEAST_WORDS = 3;
const HEADING = /^\s{0,3}#{1,6}\s/;
const RULE = /^[\s|:*_=-]*$/;
const ITEM = /^\s*(?:[-*+>]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?/;
const ROW = /^\s*\|/;
const FENCE = /^\s*(?:```|~~~)/;

/** The sentences, list items, table rows and lines of code of passages. No headings, no page furniture. */
export function unitsOf(passages: readonly Passage[]): Unit[] {
  const repeated = repeatedLines(passages.map(({ text }) => text));
  return passages.flatMap((passage, rank) =>
    piecesOf(linesOfText(passage.text).filter((line) => !isFurniture(line, repeated))).map((piece) => ({
      passage,
      rank,
      ...piece,
    })),
  );
}

type Piece = Pick<Unit, 'text' | 'shown' | 'context'>;

function piecesOf(lines: readonly string[]): Piece[] {
  const pieces: Piece[] = [];
  let paragraph: string[] = [];
  let header: string[] = [];
  let isCode = false;
  const flush = (): void => {
    for (const sentence of sentencesOf(paragraph.join('\n'))) pieces.push(...pieceOf(sentence.trim()));
    paragraph = [];
  };
  for (const [index, line] of lines.entries()) {
    if (!ROW.test(line)) header = [];
    if (FENCE.test(line)) {
      flush();
      isCode = !isCode;
    } else if (isCode) {
      pieces.push(...codeOf(line.trim()));
    } else if (RULE.test(line) || HEADING.test(line)) {
      flush();
    } else if (ROW.test(line)) {
      flush();
      const cells = cellsOf(line);
      // what stands above the rule of a table are names of columns
      if (isTableRule(lines[index + 1])) header = cells;
      else pieces.push(...rowOf(cells, header));
    } else {
      if (ITEM.test(line)) flush();
      paragraph.push(line.replace(ITEM, ''));
    }
  }
  flush();
  return pieces;
}

const isTableRule = (line = ''): boolean => line.includes('-') && ROW.test(line) && RULE.test(line);

function pieceOf(text: string): Piece[] {
  const isWhole = text.length >= SHORTEST && text.length <= LONGEST;
  // a lead-in says nothing without the list that it leads to
  if (!isWhole || /[:：]$/.test(text)) return [];
  if (
    text.split(/\s+/).length < LEAST_WORDS &&
    !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)
  ) {
    return [];
  }
  return [{ text, shown: `“${text}”`, context: '' }];
}

const codeOf = (text: string): Piece[] =>
  text.length < SHORTEST || text.length > LONGEST || text.includes('`')
    ? []
    : [{ text, shown: `\`${text}\``, context: '' }];

function rowOf(cells: readonly string[], header: readonly string[]): Piece[] {
  const named = cells.flatMap((cell, index) => {
    const name = header[index] ?? '';
    return cell === '' ? [] : [name === '' ? cell : `${name}: ${cell}`];
  });
  const shown = named.join('; ');
  if (named.length < 2 || shown.length > LONGEST) return [];
  return [{ text: cells.join(' | '), shown, context: header.join(' ') }];
}

/** The cells of a row of a Markdown table; `\|` is no border. */
function cellsOf(line: string): string[] {
  return line
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}
