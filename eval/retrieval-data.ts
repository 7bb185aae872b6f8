import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { packageRoot } from '../src/package-root.ts';

/** Folder of the evaluation data: EVAL_DIR, relative to the package, or `../shared/eval` beside it. */
export const evalDir = (): string => resolve(packageRoot, process.env.EVAL_DIR ?? '../shared/eval');

/** The rows of a JSON Lines file of a set, gunzipped where its name says so. */
export function readRows<T>(set: string, file: string): T[] {
  const bytes = readFileSync(join(evalDir(), set, file));
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}

/** The text of a gzipped file of a set. */
export function readGzip(set: string, file: string): string {
  return gunzipSync(readFileSync(join(evalDir(), set, file))).toString('utf8');
}
