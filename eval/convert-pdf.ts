import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { extractText } from 'unpdf';
import { chunkingSchema } from '../src/contract/chunking.ts';
import type { Converter } from '../src/documents/conversion/pool.ts';
import { ConversionError } from '../src/documents/formats/converted.ts';
import { AppError } from '../src/errors.ts';
import { detectUpload } from '../src/services/detect-upload.ts';
import { comparePdf, type Scores } from './convert-scores.ts';
import { readMarkdown } from './markdown-facts.ts';

/** One row of the set's index. */
interface PdfSample {
  id: string;
  file: string;
  expect: 'convert' | 'reject' | 'no-text' | 'no-crash';
  truth?: string;
}

export interface PdfEval {
  forge: Scores;
  /** The library's text as it comes. */
  plain: Scores;
  /** Good files that did not convert, and files that had to be refused and were not. */
  wrong: string[];
  bad: string[];
  unexplained: string[];
}

async function convertPlainly(bytes: Buffer): Promise<string> {
  return (await extractText(new Uint8Array(bytes), { mergePages: false })).text.join('\n\n');
}

const chunking = chunkingSchema.parse({ strategy: 'hierarchical' });

async function outcome(bytes: Buffer, converter: Converter) {
  try {
    const { format } = detectUpload('a.pdf', bytes);
    const { converted } = await converter.convert({ name: 'a.pdf', bytes, format, chunking });
    return { converted };
  } catch (error) {
    if (error instanceof AppError) return { reason: `refused: ${error.code}` };
    if (error instanceof ConversionError) return { reason: `failed: ${error.code}` };
    return { reason: `UNEXPLAINED ${String(error)}` };
  }
}

const EXPLAINED: Record<string, RegExp> = { 'no-text': /no_text_layer/, reject: /encrypted_file/ };

/** Converts the PDF set as the service does, and compares words and headings with what other tools read. */
export async function runPdfEval(folder: string, converter: Converter): Promise<PdfEval | undefined> {
  const set = join(folder, 'pdf');
  if (!existsSync(join(set, 'dev.jsonl'))) return undefined;
  const lines = readFileSync(join(set, 'dev.jsonl'), 'utf8').trim().split('\n');
  const result: PdfEval = { forge: new Map(), plain: new Map(), wrong: [], bad: [], unexplained: [] };
  for (const sample of lines.map((line) => JSON.parse(line) as PdfSample)) {
    const bytes = readFileSync(join(set, sample.file));
    const { converted, reason = '' } = await outcome(bytes, converter);
    const line = `${sample.id}: ${converted ? `${converted.markdown.length} characters` : reason}`;
    if (reason.startsWith('UNEXPLAINED')) result.unexplained.push(line);
    if (sample.expect !== 'convert') result.bad.push(line);
    const isRight =
      sample.expect === 'convert' ? converted : (EXPLAINED[sample.expect]?.test(reason) ?? true);
    if (!isRight) result.wrong.push(line);
    if (!converted || sample.truth === undefined) continue;
    const truth = readMarkdown(readFileSync(join(set, sample.truth), 'utf8'));
    comparePdf(truth, readMarkdown(converted.markdown), result.forge);
    comparePdf(truth, readMarkdown(await convertPlainly(bytes)), result.plain);
  }
  return result;
}
