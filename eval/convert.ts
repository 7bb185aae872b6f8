import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import mammoth from 'mammoth';
import TurndownService from 'turndown';
import { ConversionError } from '../src/documents/convert/converted.ts';
import { detectFormat } from '../src/documents/convert/detect.ts';
import { type Converter, createConverter } from '../src/documents/convert/pool.ts';
import { AppError } from '../src/errors.ts';
import {
  add,
  compareWithDocling,
  compareWithPandoc,
  type PandocTruth,
  type Scores,
} from './convert-scores.ts';
import { readMarkdown } from './markdown-facts.ts';

/** One row of the set's index. */
interface Sample {
  id: string;
  file: string;
  expect: 'convert' | 'reject' | 'no-crash';
  truth?: { docling_md?: string; expected_json?: string };
}

/** One figure for the converter under test, and beside it for the plain libraries and as published for pandoc. */
export interface ConvertRow {
  figure: string;
  files: number;
  forge: number;
  plain: number;
  pandoc: number | null;
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
  'pandoc truth: headings, numbers aside, recall': 0.971,
  'pandoc truth: headings, numbers aside, precision': 0.971,
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
