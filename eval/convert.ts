import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import mammoth from 'mammoth';
import TurndownService from 'turndown';
import { ConversionError } from '../src/documents/convert/converted.ts';
import { detectFormat } from '../src/documents/convert/detect.ts';
import { type Converter, createConverter } from '../src/documents/convert/pool.ts';
import { AppError } from '../src/errors.ts';
import { type MarkdownFacts, readMarkdown } from './markdown-facts.ts';
import { countWords } from './words.ts';

/** One row of the set's index. */
interface Sample {
  id: string;
  file: string;
  expect: 'convert' | 'reject' | 'no-crash';
  truth?: { docling_md?: string; expected_json?: string };
}

interface PandocTruth {
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

/** One figure for the converter under test, and beside it for the plain libraries and as published for pandoc. */
export interface ConvertRow {
  figure: string;
  files: number;
  forge: number;
  plain: number;
  pandoc: number | null;
}

type Scores = Map<string, { sum: number; count: number }>;

interface Pair {
  recall: number;
  precision: number;
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
    precision: foundSize === 0 ? 1 : shared / foundSize,
  };
}

function multiset(items: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

function add(scores: Scores, figure: string, value: number): void {
  const score = scores.get(figure) ?? { sum: 0, count: 0 };
  scores.set(figure, { sum: score.sum + value, count: score.count + 1 });
}

function addPair(scores: Scores, figure: string, pair: Pair): void {
  add(scores, `${figure}, recall`, pair.recall);
  add(scores, `${figure}, precision`, pair.precision);
}

/** The share of a known number of things that was found; finding too many counts against it as well. */
function counted(truth: number, found: number): number {
  return Math.min(truth, found) / Math.max(truth, found);
}

function normal(text: string): string {
  return [...countWords(text).entries()].map(([word, count]) => word.repeat(count)).join(' ');
}

/** Headings by level and text. Numbers that Word generates are part of what a reader sees, but pandoc leaves them out. */
function pandocHeadings(
  truth: PandocTruth['headings'],
  found: MarkdownFacts['headings'],
  strict: boolean,
): Pair {
  const wanted = truth.map(([level, text]) => `${level} ${normal(text)}`);
  const keys = found.map(({ level, text }) => {
    const exact = `${level} ${normal(text)}`;
    if (strict || wanted.includes(exact)) return exact;
    const bare = normal(text.replace(/^(\p{L}+ )?[\dIVX]+([.)][\dIVX]+)*[.)]? /u, ''));
    return `${level} ${bare}`;
  });
  return overlap(multiset(wanted), multiset(keys));
}

function compareWithPandoc(truth: PandocTruth, found: MarkdownFacts, scores: Scores): void {
  addPair(scores, 'pandoc truth: words', overlap(countWords(truth.text.join('\n')), found.words));
  if (truth.headings.length > 0) {
    addPair(scores, 'pandoc truth: headings', pandocHeadings(truth.headings, found.headings, true));
    addPair(
      scores,
      'pandoc truth: headings, numbers aside',
      pandocHeadings(truth.headings, found.headings, false),
    );
  }
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

function compareWithDocling(truth: string, found: MarkdownFacts, scores: Scores): void {
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

/** mammoth and turndown as they come: the floor. */
async function convertPlainly(bytes: Buffer): Promise<string> {
  const html = (await mammoth.convertToHtml({ buffer: bytes })).value;
  return new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced' }).turndown(html);
}

const PANDOC: Record<string, number> = {
  'pandoc truth: words, recall': 0.939,
  'pandoc truth: words, precision': 0.914,
  'pandoc truth: headings, recall': 0.971,
  'pandoc truth: headings, precision': 0.971,
  'pandoc truth: tables': 1,
  'docling truth: words, recall': 0.86,
  'docling truth: words, precision': 0.992,
  'docling truth: headings, text, recall': 0.799,
  'docling truth: headings, text, precision': 0.831,
};

export interface ConvertEval {
  rows: ConvertRow[];
  /** Good files that did not convert, with the reason. */
  notConverted: string[];
  /** How each bad file ended: refused at the door, an error of the conversion, or characters of text. */
  bad: string[];
  /** Files that ended in anything but text or an explained error. */
  unexplained: string[];
  slowest: { id: string; ms: number };
  /** Longest time that a conversion kept this process from other work, in milliseconds. */
  eventLoopDelayMs: { p99: number; max: number };
  /** Per file and truth what is less than perfect, worst first: for finding the largest losses. */
  lowest: { id: string; figure: string; value: number }[];
}

/** What became of a file, as the service would see it. */
async function outcome(
  sample: Sample,
  bytes: Buffer,
  converter: Converter,
): Promise<{ markdown: string } | { reason: string }> {
  try {
    // Some bad files have no accepted extension: as .docx they get further.
    const name = /\.(doc[xm]|dot[xm])$/.test(sample.file) ? sample.file : `${sample.file}.docx`;
    const { format } = detectFormat(name, bytes);
    return { markdown: (await converter.convert({ name, bytes, format })).markdown };
  } catch (error) {
    if (error instanceof AppError) return { reason: `refused: ${error.code}` };
    if (error instanceof ConversionError) return { reason: `failed: ${error.code}` };
    return { reason: `UNEXPLAINED ${String(error)}` };
  }
}

function readSamples(set: string): Sample[] {
  return readFileSync(join(set, 'dev.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Sample);
}

/**
 * Converts every Word file of the evaluation set as the service does, and compares the Markdown with the reviewed output of
 * other tools.
 *
 * @param folder the evaluation data; `docx/dev.jsonl` is read from it
 * @returns undefined when the set is not there
 */
export async function runConvertEval(
  folder = process.env.EVAL_DIR ?? '../shared/eval',
): Promise<ConvertEval | undefined> {
  const set = join(folder, 'docx');
  if (!existsSync(join(set, 'dev.jsonl'))) return undefined;
  const samples = readSamples(set);
  const converter = createConverter();
  const delay = monitorEventLoopDelay({ resolution: 5 });
  const result: ConvertEval = {
    rows: [],
    notConverted: [],
    bad: [],
    unexplained: [],
    slowest: { id: '', ms: 0 },
    eventLoopDelayMs: { p99: 0, max: 0 },
    lowest: [],
  };
  const converted = new Map<Sample, string>();
  for (const sample of samples) {
    const bytes = readFileSync(join(set, sample.file));
    const start = performance.now();
    delay.enable();
    const ended = await outcome(sample, bytes, converter);
    delay.disable();
    const ms = performance.now() - start;
    if (ms > result.slowest.ms) result.slowest = { id: sample.id, ms };
    const isText = 'markdown' in ended;
    converted.set(sample, isText ? ended.markdown : '');
    const line = `${sample.id}: ${isText ? `${ended.markdown.length} characters` : ended.reason}`;
    if (sample.expect !== 'convert') result.bad.push(line);
    else if (!isText) result.notConverted.push(line);
    if (line.includes('UNEXPLAINED')) result.unexplained.push(line);
  }
  await converter.close();
  result.eventLoopDelayMs = { p99: delay.percentile(99) / 1e6, max: delay.max / 1e6 };

  const forge: Scores = new Map();
  const plain: Scores = new Map();
  for (const [sample, markdown] of converted) await compare(set, sample, markdown, forge, plain, result);
  result.lowest.sort((a, b) => a.value - b.value);
  for (const [figure, { sum, count }] of forge) {
    const floor = plain.get(figure);
    const floorMean = floor === undefined ? 0 : floor.sum / floor.count;
    result.rows.push({
      figure,
      files: count,
      forge: sum / count,
      plain: floorMean,
      pandoc: PANDOC[figure] ?? null,
    });
  }
  result.rows.sort((a, b) => b.figure.localeCompare(a.figure));
  return result;
}

async function compare(
  set: string,
  sample: Sample,
  markdown: string,
  forge: Scores,
  plain: Scores,
  result: ConvertEval,
): Promise<void> {
  const { docling_md: docling, expected_json: pandoc } = sample.truth ?? {};
  if (docling === undefined && pandoc === undefined) return;
  const read = (file: string) => readFileSync(join(set, file), 'utf8');
  const own: Scores = new Map();
  const floor = await convertPlainly(readFileSync(join(set, sample.file)));
  for (const [text, scores] of [
    [markdown, own],
    [floor, plain],
  ] as const) {
    const facts = readMarkdown(text);
    if (docling !== undefined) compareWithDocling(read(docling), facts, scores);
    if (pandoc !== undefined) compareWithPandoc(JSON.parse(read(pandoc)) as PandocTruth, facts, scores);
  }
  for (const [figure, { sum }] of own) {
    add(forge, figure, sum);
    if (sum < 0.999) result.lowest.push({ id: sample.id, figure, value: sum });
  }
}

/** The result as a table for people. */
export function formatConvertEval(result: ConvertEval): string {
  const cell = (value: number | null) => (value === null ? '   –' : value.toFixed(3)).padStart(9);
  const lines = result.rows.map(
    (row) =>
      `${row.figure.padEnd(52)}${String(row.files).padStart(4)}${cell(row.forge)}${cell(row.plain)}${cell(row.pandoc)}`,
  );
  return [
    `${'figure (mean over files)'.padEnd(52)}   n    forge    plain   pandoc`,
    ...lines,
    '',
    `good files not converted: ${result.notConverted.length}`,
    ...result.notConverted.map((line) => `  ${line}`),
    `bad files: ${result.bad.length}`,
    ...result.bad.map((line) => `  ${line}`),
    `not explained: ${result.unexplained.length}`,
    `slowest: ${result.slowest.id} ${Math.round(result.slowest.ms)} ms`,
    `event loop delayed by conversions: p99 ${result.eventLoopDelayMs.p99.toFixed(1)} ms, max ${result.eventLoopDelayMs.max.toFixed(1)} ms`,
  ].join('\n');
}
