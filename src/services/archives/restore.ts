import { randomUUID } from 'node:crypto';
import {
  type ArchivedContext,
  type ArchivedFile,
  archivedContextSchema,
  archivedEventSchema,
  archivedSummarySchema,
  archivedTurnSchema,
  archivedVectorSchema,
  ENTRIES,
} from '../../archive/format.ts';
import type { Archive } from '../../archive/open-archive.ts';
import { decodeVector } from '../../archive/vector-bytes.ts';
import { cleanContext } from '../../copilot/contexts/ask.ts';
import type { Database } from '../../db/database.ts';
import { cacheKey, insertCachedVectors } from '../../db/embedding-cache.ts';
import type { QueuedRun } from '../../db/file-runs.ts';
import { type NewContext, saveContexts } from '../../db/leaf-contexts.ts';
import { writeTurnPostings } from '../../db/postings.ts';
import { keepImport, restoreFile, restoreVersion } from '../../db/project-restore.ts';
import { restoreEvents, restoreSummaries, restoreTurn } from '../../db/turn-restore.ts';
import type { EmbeddingModel } from '../../embeddings/model.ts';
import type { Scope } from '../../scope.ts';
import { turnWords } from '../../text/postings.ts';
import { storableText } from '../../text/storable.ts';
import type { Originals } from '../originals/originals.ts';

/** Rows that are read and stored at a time. */
const ROWS = 200;

/** What is restored, and where to. */
export interface Restoration {
  db: Database;
  originals: Originals;
  scope: Scope;
  archive: Archive;
  embeddingModel: Pick<EmbeddingModel, 'id' | 'dimensions'>;
}

/**
 * Puts the archive's vectors into the embedding cache, where ingestion looks before it asks the model; none where they are
 * of another model.
 *
 * @returns how many there were
 */
export async function restoreVectors({
  db,
  scope,
  archive,
  embeddingModel: model,
}: Restoration): Promise<number> {
  const { embedding } = archive.manifest;
  if (embedding?.model !== model.id || embedding.dimensions !== model.dimensions) return 0;
  let restored = 0;
  for await (const rows of inGroups(archive.lines(ENTRIES.vectors, archivedVectorSchema))) {
    const vectors = new Map(
      rows.flatMap(({ hash, vector }) => {
        const decoded = decodeVector(vector, model.dimensions);
        return decoded ? [[cacheKey(scope.workspaceId, hash), decoded] as const] : [];
      }),
    );
    await insertCachedVectors(db, model, [...vectors.keys()], [...vectors.values()]);
    restored += rows.length;
  }
  return restored;
}

/**
 * Stores a file with all its versions: at the one that was searchable, to be ingested again by this version of the service, or
 * failed as it was.
 *
 * @returns the ingestion that is to begin; null: it has failed
 */
async function restoreFileOf(
  { db, originals, scope, archive }: Restoration,
  file: ArchivedFile,
  fileId: string,
): Promise<QueuedRun | null> {
  const version = file.searchable_version ?? file.version;
  const isFailed = file.searchable_version === null && file.status === 'failed';
  await restoreFile(db, scope, { fileId, file, version, status: isFailed ? 'failed' : 'queued' });
  for (const each of file.versions) {
    const markdown = each.markdown === null ? null : await archive.text(each.markdown);
    const bytes = await wholeOf(archive.bytes(each.original), each.bytes);
    const stored = originals.sealed({ ...scope, fileId, version: each.version }, bytes);
    await restoreVersion(db, scope, fileId, each, { ...stored, markdown });
    await keepImport(db, scope);
  }
  const bytes = file.versions.find((each) => each.version === version)?.bytes ?? 0;
  return isFailed ? null : { fileId, version, run: 0, name: file.name, bytes };
}

/**
 * Keeps what a model wrote on leaves, until there are leaves of that content.
 *
 * @param fileIds of the files, in the order of the archive
 */
async function restoreContexts(
  { db, scope, archive }: Restoration,
  fileIds: readonly string[],
): Promise<void> {
  if (!archive.entry(ENTRIES.contexts)) return;
  for await (const rows of inGroups(archive.lines(ENTRIES.contexts, archivedContextSchema))) {
    for (const [fileId, contexts] of byFile(rows, fileIds)) {
      await saveContexts(db, scope, fileId, contexts);
    }
    await keepImport(db, scope);
  }
}

/**
 * Stores the turns with their events and summaries.
 *
 * @param summarised the turns that have a summary: their words are indexed here, those of the others with their summary
 */
export async function restoreTurns(
  { db, scope, archive }: Restoration,
  summarised: ReadonlySet<number>,
): Promise<void> {
  for await (const turns of inGroups(archive.lines(ENTRIES.turns, archivedTurnSchema))) {
    for (const turn of turns) {
      await restoreTurn(db, scope, turn);
      if (!summarised.has(turn.turn_number)) continue;
      await writeTurnPostings(db, scope, turn.turn_number, turnWords(turn));
    }
    await keepImport(db, scope);
  }
  for await (const events of inGroups(archive.lines(ENTRIES.events, archivedEventSchema))) {
    await restoreEvents(db, scope, events);
  }
  for await (const summaries of inGroups(archive.lines(ENTRIES.summaries, archivedSummarySchema))) {
    await restoreSummaries(db, scope, summaries);
  }
}

/**
 * Stores the files, and what a model wrote on their leaves.
 *
 * @returns the ingestions that are to begin
 */
export async function restoreFiles(
  restoration: Restoration,
  files: readonly ArchivedFile[],
): Promise<QueuedRun[]> {
  const fileIds = files.map(() => `file_${randomUUID().replaceAll('-', '')}`);
  const runs: QueuedRun[] = [];
  for (const [index, fileId] of fileIds.entries()) {
    const file = files[index];
    const run = file ? await restoreFileOf(restoration, file, fileId) : null;
    if (run) runs.push(run);
  }
  await restoreContexts(restoration, fileIds);
  return runs;
}

/** Contexts as they are kept, by the file that they are of. */
function byFile(rows: readonly ArchivedContext[], fileIds: readonly string[]): Map<string, NewContext[]> {
  const files = new Map<string, NewContext[]>();
  for (const { file, hash, context, model } of rows) {
    const fileId = fileIds[file - 1];
    const line = cleanContext(context);
    if (fileId === undefined || line === '') continue;
    const known = files.get(fileId) ?? [];
    known.push({ contentHash: hash, context: line, model: storableText(model) });
    files.set(fileId, known);
  }
  return files;
}

async function wholeOf(pieces: AsyncIterable<Buffer>, length: number): Promise<Buffer> {
  const whole = Buffer.allocUnsafeSlow(length);
  let at = 0;
  for await (const piece of pieces) at += piece.copy(whole, at);
  return whole;
}

async function* inGroups<T>(lines: AsyncIterable<{ value: T }>): AsyncGenerator<T[]> {
  let group: T[] = [];
  for await (const { value } of lines) {
    group.push(value);
    if (group.length < ROWS) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}
