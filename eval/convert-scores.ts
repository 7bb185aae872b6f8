import { type MarkdownFacts, readMarkdown } from './markdown-facts.ts';
import { countWords } from './words.ts';

/** What pandoc's reviewed fixtures say is in a document. */
export interface PandocTruth {
  headings: [number, string][];
  tables: unknown[];
  lists: [string, number][];
  links: string[];
  images: number;
  notes: number;
  code_blocks: number;
  quotes: number;
  text: string[];
}

/** Sum and count of each figure's values. */
export type Scores = Map<string, { sum: number; count: number }>;

interface Pair {
  recall: number;
  /** Undefined where nothing was found: what says nothing says nothing wrong. */
  precision: number | undefined;
}

function overlap<T>(truth: Map<T, number>, found: Map<T, number>): Pair {
  let shared = 0;
  let truthSize = 0;
  let foundSize = 0;
  for (const count of truth.values()) truthSize += count;
  for (const [item, count] of found) {
    foundSize += count;
    shared += Math.min(count, truth.get(item) ?? 0);
  }
  return {
    recall: truthSize === 0 ? 1 : shared / truthSize,
    precision: foundSize === 0 ? undefined : shared / foundSize,
  };
}

function multiset(items: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

export function add(scores: Scores, figure: string, value: number): void {
  const score = scores.get(figure) ?? { sum: 0, count: 0 };
  scores.set(figure, { sum: score.sum + value, count: score.count + 1 });
}

function addPair(scores: Scores, figure: string, pair: Pair): void {
  add(scores, `${figure}, recall`, pair.recall);
  if (pair.precision !== undefined) add(scores, `${figure}, precision`, pair.precision);
}

/** The share of a known number of things that was found; finding too many counts against it as well. */
function counted(truth: number, found: number): number {
  return Math.min(truth, found) / Math.max(truth, found);
}

function normal(text: string): string {
  return [...countWords(text).entries()].map(([word, count]) => word.repeat(count)).join(' ');
}

/**
 * Headings by level and text. Word shows a number before many headings, and generates it: docling keeps these numbers, pandoc
 * leaves them out. Against pandoc's truth a heading therefore counts with or without its number, whoever wrote it.
 */
function pandocHeadings(truth: PandocTruth['headings'], found: MarkdownFacts['headings']): Pair {
  const wanted = truth.map(([level, text]) => `${level} ${normal(text)}`);
  const keys = found.map(({ level, text }) => {
    const exact = `${level} ${normal(text)}`;
    if (wanted.includes(exact)) return exact;
    const bare = normal(text.replace(/^(\p{L}+ )?[\dIVX]+([.)][\dIVX]+)*[.)]? /u, ''));
    return `${level} ${bare}`;
  });
  return overlap(multiset(wanted), multiset(keys));
}

/** The words, less those numbers in front of headings and items that the truth does not have: see `pandocHeadings`. */
function withoutLabels(truth: Map<string, number>, { words, labels }: MarkdownFacts): Map<string, number> {
  const kept = new Map(words);
  for (const [word, count] of labels) {
    const found = words.get(word) ?? 0;
    kept.set(word, found - Math.min(count, Math.max(0, found - (truth.get(word) ?? 0))));
  }
  return kept;
}

export function compareWithPandoc(truth: PandocTruth, found: MarkdownFacts, scores: Scores): void {
  const words = countWords(truth.text.join('\n'));
  addPair(scores, 'pandoc truth: words', overlap(words, withoutLabels(words, found)));
  // A heading without text is nothing that a Markdown text can have.
  const headings = truth.headings.filter(([, text]) => text !== '');
  if (headings.length > 0)
    addPair(scores, 'pandoc truth: headings', pandocHeadings(headings, found.headings));
  if (truth.tables.length > 0)
    add(scores, 'pandoc truth: tables', counted(truth.tables.length, found.tables));
  const items = truth.lists.reduce((sum, [, count]) => sum + count, 0);
  if (items > 0) add(scores, 'pandoc truth: list items', counted(items, found.listItems));
  const external = (links: readonly string[]) => multiset(links.filter((link) => !link.startsWith('#')));
  if (external(truth.links).size > 0) {
    add(scores, 'pandoc truth: links', overlap(external(truth.links), external(found.links)).recall);
  }
  if (truth.images > 0) add(scores, 'pandoc truth: images', counted(truth.images, found.images));
  if (truth.notes > 0) add(scores, 'pandoc truth: notes', counted(truth.notes, found.notes));
  if (truth.code_blocks > 0)
    add(scores, 'pandoc truth: code blocks', counted(truth.code_blocks, found.codeBlocks));
  if (truth.quotes > 0) add(scores, 'pandoc truth: quotes', counted(truth.quotes, found.quotes));
}

export function compareWithDocling(truth: string, found: MarkdownFacts, scores: Scores): void {
  const wanted = readMarkdown(truth);
  addPair(scores, 'docling truth: words', overlap(wanted.words, found.words));
  const headings = (facts: MarkdownFacts) => multiset(facts.headings.map((one) => normal(one.text)));
  if (wanted.headings.length > 0) {
    addPair(scores, 'docling truth: headings, text', overlap(headings(wanted), headings(found)));
  }
  if (wanted.tables > 0) add(scores, 'docling truth: tables', counted(wanted.tables, found.tables));
  if (wanted.listItems > 0)
    add(scores, 'docling truth: list items', counted(wanted.listItems, found.listItems));
}

/** A PDF has no structure of its own to compare: words, and headings where the truth has some. */
export function comparePdf(wanted: MarkdownFacts, found: MarkdownFacts, scores: Scores): void {
  addPair(scores, 'pdf truth: words', overlap(wanted.words, found.words));
  const headings = (facts: MarkdownFacts) => multiset(facts.headings.map((one) => normal(one.text)));
  if (wanted.headings.length > 0) {
    addPair(scores, 'pdf truth: headings, text', overlap(headings(wanted), headings(found)));
  }
}
