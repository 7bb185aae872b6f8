import { fingerprint } from '../../text/fingerprint.ts';
import { lineStarts } from '../../text/lines.ts';
import { sentenceStarts } from '../../text/sentences.ts';
import { countTokens } from '../../text/tokens.ts';
import { type Block, tile } from '../structure/blocks.ts';
import { punctuationBoundaries } from './punctuation-boundaries.ts';
import type { SequenceItem } from './split-points.ts';
import { targetLeafTokens } from './target-leaf-size.ts';
import { wordSplits } from './word-splits.ts';

/** What chunking never divides again: leaves are runs of splits. Splits tile the document; their sizes are in tokens. */
export interface Split extends SequenceItem {
  start: number;
  end: number;
  /** A table's header, for a row that is not the table's first: it is repeated when a leaf starts here. */
  header: { start: number; end: number } | null;
  /** Part of a sentence, a line or a code fence that was too long to stay whole. */
  isFragment: boolean;
}

interface SplitLimits {
  leafMin: number;
  leafMax: number;
  parentMax: number;
}

// How strong the boundary in front of something is. Deeper parts of a block are worth less.
const SECTION = 9;
const HEADING = 8;
const BLOCK = 7;
const SENTENCE = 1;
const RELUCTANT = 0;
const BEHIND_HEADING = -1;
// Hostile nesting ends here; what is deeper is text.
const DEEPEST = 24;
// A block this long is divided without counting it first: hardly any text has more characters to a token.
const MOST_CHARS_PER_TOKEN = 12;

/**
 * Divides blocks into splits. A block stays whole while a leaf of the target size can hold it beside the smallest leaf.
 * Preformatted text stays whole as long as a parent can hold it: it makes one overlong leaf then, which embedding models
 * take; beyond that it is divided at lines. A sentence over the leaf maximum is divided at words.
 */
export function splitBlocks(text: string, blocks: readonly Block[], limits: SplitLimits): Split[] {
  const splitting = { text, limits, splits: [] as Split[] };
  let before: Block | undefined;
  for (const block of blocks) {
    splitBlock(splitting, block, boundaryStrength(text, block, before), BLOCK - 1, 0);
    before = block;
  }
  return splitting.splits;
}

/** How strong the boundary between two blocks is. */
function boundaryStrength(text: string, block: Block, before: Block | undefined): number {
  if (before?.kind === 'heading') return BEHIND_HEADING;
  if (block.kind === 'heading') return block.level <= 3 ? SECTION : HEADING;
  if (before?.kind === 'text') {
    const ending = text.slice(Math.max(before.start, before.end - 8), before.end);
    // The paragraph before announces this list or fence.
    if (block.kind !== 'text') return /[:：]\s*$/.test(ending) ? RELUCTANT : BLOCK;
    // A sentence goes on after the end of a page.
    if (/[\p{Ll},]\s*$/u.test(ending) && /^\s*\p{Ll}/u.test(text.slice(block.start, block.start + 8)))
      return RELUCTANT;
  }
  return BLOCK;
}

interface Splitting {
  text: string;
  limits: SplitLimits;
  splits: Split[];
}

/** `strength` is that of the block's own start, `inner` that of its later parts'. */
function splitBlock(
  splitting: Splitting,
  block: Block,
  strength: number,
  inner: number,
  depth: number,
): void {
  const { text, limits, splits } = splitting;
  const target = targetLeafTokens(limits);
  const whole = Math.max(target - limits.leafMin, Math.ceil(target / 2));
  const largest = block.kind === 'preformatted' ? limits.parentMax : whole;
  const tooLong = block.end - block.start > largest * MOST_CHARS_PER_TOKEN;
  const size = tooLong ? Infinity : countTokens(text.slice(block.start, block.end));
  if (size <= largest) {
    addSplit(splitting, { start: block.start, end: block.end, size, strength, isFragment: false });
    return;
  }
  if (block.kind === 'preformatted') {
    splitLines(splitting, block, strength);
    return;
  }
  const children = depth < DEEPEST ? tile(block.children?.() ?? [], block.end) : [];
  const [first] = children;
  if (!first) {
    splitSentences(splitting, block, strength);
    return;
  }
  first.start = block.start;
  const header = block.kind === 'table' ? headerOf(text, block, limits) : null;
  children.forEach((child, i) => {
    const next = splits.length;
    splitBlock(splitting, child, i === 0 ? strength : inner, Math.max(inner - 1, SENTENCE + 1), depth + 1);
    const split = splits[next];
    if (split && header && i > 0) {
      split.header = header;
      split.prefixSize = header.tokens;
    }
  });
}

/** The header to repeat; none when it would fill half a leaf by itself. */
function headerOf(text: string, table: Block, limits: SplitLimits) {
  const end = table.headerEnd ?? table.start;
  if (end - table.start > limits.leafMax * MOST_CHARS_PER_TOKEN) return null;
  const tokens = countTokens(text.slice(table.start, end));
  return tokens > 0 && tokens <= limits.leafMax / 2 ? { start: table.start, end, tokens } : null;
}

function splitLines(splitting: Splitting, { start, end }: Block, strength: number): void {
  const starts = lineStarts(splitting.text.slice(start, end));
  for (let i = 0; i + 1 < starts.length; i++) {
    const line = { start: start + (starts[i] ?? 0), end: start + (starts[i + 1] ?? 0) };
    splitWords(splitting, line, i === 0 ? strength : SENTENCE, true);
  }
}

function splitSentences(splitting: Splitting, { start, end }: Block, strength: number): void {
  const { text, limits } = splitting;
  const target = targetLeafTokens(limits);
  const sentences = sentenceStarts(text, start, end);
  // In what is too long for a sentence some ends were not seen.
  const starts = sentences.flatMap((from, i) => {
    const to = sentences[i + 1] ?? end;
    const isLong = to - from > target * MOST_CHARS_PER_TOKEN || countTokens(text.slice(from, to)) > target;
    return isLong ? punctuationBoundaries(text, from, to) : [from];
  });
  starts.forEach((from, i) => {
    const sentence = { start: from, end: starts[i + 1] ?? end };
    splitWords(splitting, sentence, i === 0 ? strength : SENTENCE, false);
  });
}

/** A sentence or a line: whole if a leaf can hold it, otherwise in fragments. */
function splitWords(
  splitting: Splitting,
  { start, end }: { start: number; end: number },
  strength: number,
  isFragment: boolean,
): void {
  const { text, limits } = splitting;
  const tooLong = end - start > limits.leafMax * MOST_CHARS_PER_TOKEN;
  const size = tooLong ? Infinity : countTokens(text.slice(start, end));
  if (size <= limits.leafMax || end - start <= 4) {
    addSplit(splitting, { start, end, size, strength, isFragment });
    return;
  }
  const starts = wordSplits(text, start, end, Math.min(limits.leafMax, Math.ceil((end - start) / 4)));
  starts.forEach((from, i) => {
    const fragment = { start: from, end: starts[i + 1] ?? end };
    splitWords(splitting, fragment, i === 0 ? strength : SENTENCE, true);
  });
}

type NewSplit = Omit<Split, 'prefixSize' | 'header' | 'fingerprint'>;

/** Every field is named: a spread here would take a sixth of the time of all chunking. */
function addSplit({ text, splits }: Splitting, { start, end, size, strength, isFragment }: NewSplit): void {
  const hash = fingerprint(text, start, end);
  splits.push({ start, end, size, strength, isFragment, fingerprint: hash, prefixSize: 0, header: null });
}
