import { fingerprint } from '../../text/fingerprint.ts';
import { lineStarts } from '../../text/lines.ts';
import { sentenceStarts } from '../../text/sentences.ts';
import { countTokens } from '../../text/tokens.ts';
import { type Block, tile } from '../structure/blocks.ts';
import { stopStarts } from './punctuation-boundaries.ts';
import type { CutItem } from './split-points.ts';
import { softLeafMaximum } from './target-leaf-size.ts';
import { wordPieces } from './word-splits.ts';

/** What is never cut again: leaves are runs of atoms. Atoms tile the document; their size is in tokens. */
export interface Atom extends CutItem {
  start: number;
  end: number;
  /** A table's header, for a row that is not the table's first: it is repeated when a leaf starts here. */
  header: { start: number; end: number } | null;
  /** A sentence, a line or a fence had to be cut to make it. */
  cut: boolean;
}

interface AtomLimits {
  leafMin: number;
  leafMax: number;
  parentMax: number;
}

// How good a place for a cut the start of something is. Deeper parts of a block are worth less.
const SECTION = 9;
const HEADING = 8;
const BLOCK = 7;
const SENTENCE = 1;
const RELUCTANT = 0;
const BEHIND_HEADING = -1;
// Hostile nesting ends here; what is deeper is text.
const DEEPEST = 24;
// A block this long is cut without counting it first: hardly any text has more characters to a token.
const MOST_CHARS_PER_TOKEN = 12;

/**
 * Cuts blocks down to atoms. A block stays whole while a leaf can hold it beside the smallest leaf (soft maximum -
 * leaf minimum). A code fence or a table row stays whole as long as a parent can hold it: it makes one overlong leaf
 * then, which embedding models take; beyond that it is cut at lines. A sentence over the leaf maximum is cut at words.
 */
export function atomsOf(text: string, blocks: readonly Block[], limits: AtomLimits): Atom[] {
  const cutting = { text, limits, atoms: [] as Atom[] };
  let before: Block | undefined;
  for (const block of blocks) {
    cutBlock(cutting, block, strengthOf(text, block, before), BLOCK - 1, 0);
    before = block;
  }
  return cutting.atoms;
}

function strengthOf(text: string, block: Block, before: Block | undefined): number {
  if (before?.kind === 'heading') return BEHIND_HEADING;
  if (block.kind === 'heading') return block.level <= 3 ? SECTION : HEADING;
  if (before?.kind === 'prose') {
    const ending = text.slice(Math.max(before.start, before.end - 8), before.end);
    // a list or a fence that the paragraph before announces
    if (block.kind !== 'prose') return /[:：]\s*$/.test(ending) ? RELUCTANT : BLOCK;
    // a sentence that goes on after the end of a page
    if (/[\p{Ll},]\s*$/u.test(ending) && /^\s*\p{Ll}/u.test(text.slice(block.start, block.start + 8)))
      return RELUCTANT;
  }
  return BLOCK;
}

interface Cutting {
  text: string;
  limits: AtomLimits;
  atoms: Atom[];
}

/** `strength` is that of the block's own start, `inner` that of its later parts'. */
function cutBlock(cutting: Cutting, block: Block, strength: number, inner: number, depth: number): void {
  const { text, limits } = cutting;
  const soft = softLeafMaximum(limits);
  const whole = Math.max(soft - limits.leafMin, Math.ceil(soft / 2));
  const largest = block.kind === 'code' ? limits.parentMax : whole;
  const tooLong = block.end - block.start > largest * MOST_CHARS_PER_TOKEN;
  const size = tooLong ? Infinity : countTokens(text.slice(block.start, block.end));
  if (size <= largest) {
    pushAtom(cutting, { start: block.start, end: block.end, size, strength });
    return;
  }
  if (block.kind === 'code') {
    cutLines(cutting, block, strength);
    return;
  }
  const parts = depth < DEEPEST ? tile(block.parts?.() ?? [], block.end) : [];
  const [first] = parts;
  if (!first) {
    cutSentences(cutting, block, strength, false);
    return;
  }
  first.start = block.start;
  const header = block.kind === 'table' ? headerOf(text, block, limits) : null;
  parts.forEach((part, i) => {
    const next = cutting.atoms.length;
    cutBlock(cutting, part, i === 0 ? strength : inner, Math.max(inner - 1, SENTENCE + 1), depth + 1);
    const atom = cutting.atoms[next];
    if (atom && header && i > 0) {
      atom.header = header;
      atom.lead = header.tokens;
    }
  });
}

/** The header to repeat; none when it would fill half a leaf by itself. */
function headerOf(text: string, table: Block, limits: AtomLimits) {
  const end = table.headerEnd ?? table.start;
  if (end - table.start > limits.leafMax * MOST_CHARS_PER_TOKEN) return null;
  const tokens = countTokens(text.slice(table.start, end));
  return tokens > 0 && tokens <= limits.leafMax / 2 ? { start: table.start, end, tokens } : null;
}

function cutLines(cutting: Cutting, { start, end }: Block, strength: number): void {
  const starts = lineStarts(cutting.text.slice(start, end));
  for (let i = 0; i + 1 < starts.length; i++) {
    const line = { start: start + (starts[i] ?? 0), end: start + (starts[i + 1] ?? 0) };
    cutWords(cutting, line, i === 0 ? strength : SENTENCE, true);
  }
}

function cutSentences(cutting: Cutting, { start, end }: Block, strength: number, cut: boolean): void {
  const { text, limits } = cutting;
  const soft = softLeafMaximum(limits);
  const sentences = sentenceStarts(text, start, end);
  // of what is too long for a sentence, some ends were not seen
  const starts = sentences.flatMap((from, i) => {
    const to = sentences[i + 1] ?? end;
    const isLong = to - from > soft * MOST_CHARS_PER_TOKEN || countTokens(text.slice(from, to)) > soft;
    return isLong ? stopStarts(text, from, to) : [from];
  });
  starts.forEach((from, i) => {
    const sentence = { start: from, end: starts[i + 1] ?? end };
    cutWords(cutting, sentence, i === 0 ? strength : SENTENCE, cut);
  });
}

/** A sentence or a line: whole if a leaf can hold it, otherwise in pieces. */
function cutWords(
  cutting: Cutting,
  range: { start: number; end: number },
  strength: number,
  cut: boolean,
): void {
  const { text, limits } = cutting;
  const { start, end } = range;
  const tooLong = end - start > limits.leafMax * MOST_CHARS_PER_TOKEN;
  const size = tooLong ? Infinity : countTokens(text.slice(start, end));
  if (size <= limits.leafMax || end - start <= 4) {
    pushAtom(cutting, { start, end, size, strength, cut });
    return;
  }
  const starts = wordPieces(text, start, end, Math.min(limits.leafMax, Math.ceil((end - start) / 4)));
  starts.forEach((from, i) => {
    cutWords(cutting, { start: from, end: starts[i + 1] ?? end }, i === 0 ? strength : SENTENCE, true);
  });
}

function pushAtom(
  { text, atoms }: Cutting,
  atom: { start: number; end: number; size: number; strength: number; cut?: boolean },
): void {
  const hash = fingerprint(text, atom.start, atom.end);
  atoms.push({ lead: 0, header: null, cut: false, hash, ...atom });
}
