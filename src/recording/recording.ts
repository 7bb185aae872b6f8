import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/**
 * How an answer went on: to its end; until the connection broke; until the service itself gave it up; or not at all,
 * because there was no connection.
 */
const endingSchema = z.enum(['complete', 'broken', 'given_up', 'no_connection']);
export type Ending = z.infer<typeof endingSchema>;

const answerSchema = z.object({
  ending: endingSchema,
  status: z.int(),
  /** Of the headers, what matters here. */
  content_type: z.string().nullable(),
  retry_after: z.string().nullable(),
  /** One of the three: what is easiest to read. */
  json: z.unknown().optional(),
  events: z.array(z.object({ event: z.string(), data: z.unknown() })).optional(),
  text: z.string().optional(),
});
export type RecordedAnswer = z.infer<typeof answerSchema>;

/** One call to a provider, as its file has it. */
const recordingSchema = z.object({
  provider: z.string(),
  phase: z.string(),
  recorded_at: z.string(),
  request: z.object({ method: z.string(), operation: z.string(), body: z.unknown() }),
  answer: answerSchema,
});
export type Recording = z.infer<typeof recordingSchema>;

/** The name of a file: the same request can be sent several times. */
export interface RecordingName {
  phase: string;
  key: string;
  /** From 1. */
  number: number;
}

export const fileName = ({ phase, key, number }: RecordingName): string =>
  `${phase}-${key}-${String(number).padStart(3, '0')}.json`;

/** Null for a file that is no recording. */
export function parseFileName(name: string): RecordingName | null {
  const [, phase = '', key = '', number = ''] = /^(\w+)-([\da-f]{20})-(\d+)\.json$/.exec(name) ?? [];
  return phase === '' ? null : { phase, key, number: Number(number) };
}

/** Writes a recording so that it is there as a whole or not at all, for its owner alone to read. */
export async function writeRecording(folder: string, name: RecordingName, value: Recording): Promise<void> {
  const draft = join(folder, `.${randomUUID()}.tmp`);
  try {
    await writeFile(draft, toText(value), { mode: 0o600, flag: 'wx' });
    await rename(draft, join(folder, fileName(name)));
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** @throws Error naming the file when it is no recording, or cannot be read */
export async function readRecording(folder: string, name: RecordingName): Promise<Recording> {
  const path = join(folder, fileName(name));
  try {
    return recordingSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (cause) {
    throw new Error(`${path} cannot be read as a recorded call`, { cause });
  }
}

/** A list of numbers over many lines, as JSON has it; strings have no lines. */
const NUMBERS = /\[\n\s+(-?\d[-+.,\deE\s]*)\n\s*\]/g;

/** JSON for people: indented, but for vectors. */
const toText = (value: Recording): string =>
  `${JSON.stringify(value, null, 2).replace(NUMBERS, (_, numbers: string) => `[${numbers.replace(/\s+/g, ' ')}]`)}\n`;
