import { createHash } from 'node:crypto';
import type { Queryable } from '../../db/database.ts';
import { readRows, type TableShape } from '../../db/table-rows.ts';
import { createRowDigest, type RowDigest } from './row-digest.ts';

/** What is handed on at a time, in characters: many rows are small. */
const GATHERED = 64 * 1024;

/** The rows of a table as the lines of a backup, of which `digest` is told as they are read. */
export async function* tableLines(
  tx: Queryable,
  table: TableShape,
  digest: RowDigest,
): AsyncGenerator<Buffer> {
  let gathered = '';
  for await (const { line, pieces } of readRows(tx, table)) {
    const hash = createHash('sha256').update(line);
    gathered += `${line}\n`;
    for await (const piece of pieces?.() ?? []) {
      hash.update(piece);
      if (gathered !== '') yield Buffer.from(gathered);
      gathered = '';
      yield Buffer.from(`"${piece.toString('base64')}"\n`);
    }
    digest.add(hash.digest());
    if (gathered.length < GATHERED) continue;
    yield Buffer.from(gathered);
    gathered = '';
  }
  if (gathered !== '') yield Buffer.from(gathered);
}

/** How many rows a table has, and their digest. */
export async function digestOf(tx: Queryable, table: TableShape): Promise<{ rows: number; digest: string }> {
  const digest = createRowDigest();
  for await (const _ of tableLines(tx, table, digest));
  return digest.result();
}
