import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import mammoth from 'mammoth';
import TurndownService from 'turndown';
import { chunkingSchema } from '../src/contract/chunking.ts';
import { type Converter, createConverter } from '../src/documents/conversion/pool.ts';
import { ConversionError } from '../src/documents/formats/converted.ts';
import { AppError } from '../src/errors.ts';
import { detectUpload } from '../src/services/detect-upload.ts';
import { runPdfEval } from './convert-pdf.ts';
import {
  add,
  compareWithDocling,
  compareWithPandoc,
  type PandocTruth,
  type Scores,
} from './convert-scores.ts';
import { readMarkdown } from './markdown-facts.ts';

import { convertWithMarkItDown, markItDownVersion } from './markitdown.ts';
import { convertWithPandoc, pandocVersion } from './pandoc.ts';

/** One row of the set's index. */
interface Sample {
  id: string;
  file: string;
  expect: 'convert' | 'reject' | 'no-crash';
  truth?: { docling_md?: string; expected_json?: string };
}

/** One figure for the converter under test, and beside it for the plain libraries, pandoc and MarkItDown. */
export interface ConvertRow {
  figure: string;
  files: number;
  forge: number;
  /** Null where it found nothing that the figure could be of. */
  plain: number | null;
  pandoc: number | null;
  /** Null where it was not run, too. */
  markitdown: number | null;
}

interface AllScores {
  forge: Scores;
  plain: Scores;
  pandoc: Scores;
  markitdown: Scores;
}

const chunking = chunkingSchema.parse({ strategy: 'hierarchical' });

/** mammoth and turndown as they come: the floor. */
async function convertPlainly(bytes: Buffer): Promise<string> {
  const html = (await mammoth.convertToHtml({ buffer: bytes })).value;
  return new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced' }).turndown(html);
}

async function textOf(bytes: Buffer): Promise<string> {
  return (await mammoth.extractRawText({ buffer: bytes }).catch(() => ({ value: '' }))).value;
}

/** What pandoc 2.17 reached on both halves of the set, where there is no pandoc to run. */
const PUBLISHED: Record<string, number> = {
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
  /** The version of pandoc that converted the same files; undefined where its column is as published for version 2.17. */
  pandoc: string | undefined;
  /** The version of MarkItDown that converted the same files; undefined: there is none. */
  markitdown: string | undefined;
  /** Good files that did not convert, with the reason; PDF files that should have been refused too. */
  notConverted: string[];
  /** Good files in which the plain libraries find no text either. */
  withoutText: string[];
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
    const { format } = detectUpload(name, bytes);
    return { markdown: (await converter.convert({ name, bytes, format, chunking })).converted.markdown };
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
 * Converts every Word and PDF file of the evaluation sets as the service does, and compares the Markdown with the reviewed output of
 * other tools.
 *
 * @param folder the evaluation data; `docx/dev.jsonl` and `pdf/dev.jsonl` are read from it
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
    pandoc: await pandocVersion(),
    markitdown: await markItDownVersion(),
    notConverted: [],
    withoutText: [],
    bad: [],
    unexplained: [],
    slowest: { id: '', ms: 0 },
    eventLoopDelayMs: { p99: 0, max: 0 },
    lowest: [],
  };
  const converted = new Map<Sample, string>();
  const empty: [string, Buffer][] = [];
  delay.enable();
  for (const sample of samples) {
    const bytes = readFileSync(join(set, sample.file));
    const start = performance.now();
    const ended = await outcome(sample, bytes, converter);
    const ms = performance.now() - start;
    if (ms > result.slowest.ms) result.slowest = { id: sample.id, ms };
    const isText = 'markdown' in ended;
    converted.set(sample, isText ? ended.markdown : '');
    const line = `${sample.id}: ${isText ? `${ended.markdown.length} characters` : ended.reason}`;
    if (sample.expect !== 'convert') result.bad.push(line);
    else if (!isText) empty.push([line, bytes]);
    if (line.includes('UNEXPLAINED')) result.unexplained.push(line);
  }
  delay.disable();
  for (const [line, bytes] of empty) {
    const isEmpty = line.endsWith('failed: no_text') && !/[\p{L}\p{N}]/u.test(await textOf(bytes));
    (isEmpty ? result.withoutText : result.notConverted).push(line);
  }
  result.eventLoopDelayMs = { p99: delay.percentile(99) / 1e6, max: delay.max / 1e6 };

  const scores: AllScores = { forge: new Map(), plain: new Map(), pandoc: new Map(), markitdown: new Map() };
  for (const [sample, markdown] of converted) await compare(set, sample, markdown, scores, result);
  result.lowest.sort((a, b) => a.value - b.value);
  result.rows.push(...rowsOf(scores));
  const pdf = await runPdfEval(folder, converter);
  await converter.close();
  if (pdf) {
    result.rows.push(...rowsOf({ ...pdf, pandoc: new Map(), markitdown: new Map() }));
    result.notConverted.push(...pdf.wrong);
    result.bad.push(...pdf.bad);
    result.unexplained.push(...pdf.unexplained);
  }
  result.rows.sort((a, b) => b.figure.localeCompare(a.figure));
  return result;
}

const mean = (score: { sum: number; count: number } | undefined) => (score ? score.sum / score.count : null);

function rowsOf({ forge, plain, pandoc, markitdown }: AllScores): ConvertRow[] {
  return [...forge].map(([figure, score]) => ({
    figure,
    files: score.count,
    forge: score.sum / score.count,
    plain: mean(plain.get(figure)),
    pandoc: pandoc.size > 0 ? mean(pandoc.get(figure)) : (PUBLISHED[figure] ?? null),
    markitdown: mean(markitdown.get(figure)),
  }));
}

/** What is worse than the plain libraries or pandoc, or ended as it must not. */
export function missedFloors(result: ConvertEval): string[] {
  const worse = result.rows.filter(({ forge, plain, pandoc }) => forge < Math.max(plain ?? 0, pandoc ?? 0));
  return [...worse.map(({ figure }) => figure), ...result.notConverted, ...result.unexplained];
}

async function compare(
  set: string,
  sample: Sample,
  markdown: string,
  { forge, plain, pandoc: pandocs, markitdown }: AllScores,
  result: ConvertEval,
): Promise<void> {
  const { docling_md: docling, expected_json: pandoc } = sample.truth ?? {};
  if (docling === undefined && pandoc === undefined) return;
  const read = (file: string) => readFileSync(join(set, file), 'utf8');
  const own: Scores = new Map();
  const file = join(set, sample.file);
  const floor = await convertPlainly(readFileSync(file));
  const others: [string, Scores][] = [];
  if (result.pandoc !== undefined) others.push([await convertWithPandoc(file), pandocs]);
  if (result.markitdown !== undefined) others.push([await convertWithMarkItDown(file), markitdown]);
  for (const [text, scores] of [[markdown, own], [floor, plain], ...others] as const) {
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
      `${row.figure.padEnd(52)}${String(row.files).padStart(4)}${cell(row.forge)}${cell(row.plain)}${cell(row.pandoc)}${cell(row.markitdown)}`,
  );
  return [
    `pandoc: ${result.pandoc === undefined ? 'as published for version 2.17, on both halves of the set' : `version ${result.pandoc}, run on the same files`}`,
    `MarkItDown (markitdn): ${result.markitdown === undefined ? 'not there: MARKITDOWN names its program' : `version ${result.markitdown}, run on the same files`}`,
    `${'figure (mean over files)'.padEnd(52)}   n    forge    plain   pandoc markitdn`,
    ...lines,
    '',
    `good files not converted: ${result.notConverted.length}`,
    ...result.notConverted.map((line) => `  ${line}`),
    `good files without any text: ${result.withoutText.length}`,
    `bad files: ${result.bad.length}`,
    ...result.bad.map((line) => `  ${line}`),
    `not explained: ${result.unexplained.length}`,
    `slowest: ${result.slowest.id} ${Math.round(result.slowest.ms)} ms`,
    `event loop delayed by conversions: p99 ${result.eventLoopDelayMs.p99.toFixed(1)} ms, max ${result.eventLoopDelayMs.max.toFixed(1)} ms`,
  ].join('\n');
}
