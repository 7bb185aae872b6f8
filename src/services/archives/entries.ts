import {
  type ArchiveCounts,
  type ArchivedFile,
  ENTRIES,
  markdownEntry,
  originalEntry,
} from '../../archive/format.ts';
import { encodeVector } from '../../archive/vector-bytes.ts';
import type { NewEntry } from '../../archive/write-zip.ts';
import { readContexts, readEvents, readSummaries, readTurns, readVectors } from '../../db/archived-rows.ts';
import type { Database } from '../../db/database.ts';
import { readMarkdown } from '../../db/file-versions.ts';
import type { ProjectSnapshot, SnapshotFile, SnapshotVersion } from '../../db/project-snapshot.ts';
import type { Scope } from '../../scope.ts';
import type { Originals } from '../originals/originals.ts';

/** What is read of an original at a time. */
const PIECE_BYTES = 1024 * 1024;

/** What was pinned was changed or removed before it was read: what was sent by then is no archive. */
const changed = (what: string): Error => new Error(`${what} changed while the project was archived`);

const json = (value: unknown) =>
  async function* () {
    yield Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
  };

const lines = (values: () => AsyncIterable<unknown>) =>
  async function* () {
    for await (const value of values()) yield Buffer.from(`${JSON.stringify(value)}\n`);
  };

/** What is being archived. */
export interface ArchiveSource {
  db: Database;
  originals: Pick<Originals, 'read'>;
  scope: Scope;
  snapshot: ProjectSnapshot;
  withVectors: boolean;
}

/**
 * The entries of a project's archive but for its manifest, each read when its turn comes.
 *
 * @param counts counted up as rows go by
 */
export function* archiveEntries(source: ArchiveSource, counts: ArchiveCounts): Generator<NewEntry> {
  const { db, scope, snapshot, withVectors } = source;
  const text = (path: string, content: NewEntry['content']): NewEntry => ({ path, compress: true, content });
  const project = {
    id: scope.projectId,
    name: snapshot.name,
    created_at: snapshot.createdAt.toISOString(),
    summarised_through: snapshot.summarisedThrough,
    contextual: snapshot.contextual,
  };
  yield text(ENTRIES.project, json(project));
  yield text(ENTRIES.state, json(snapshot.state));
  yield text(ENTRIES.assumptions, json(snapshot.state.assumptions));
  yield text(ENTRIES.usage, json(snapshot.usage));
  yield text(
    ENTRIES.files,
    lines(async function* () {
      for (const [index, file] of snapshot.files.entries()) yield archivedFile(file, index + 1);
    }),
  );
  yield text(
    ENTRIES.turns,
    lines(() => pinnedTurns(source)),
  );
  yield text(
    ENTRIES.events,
    lines(() => counted(ofPinned(source, readEvents(db, scope)), counts, 'turn_events')),
  );
  yield text(
    ENTRIES.summaries,
    lines(() => counted(ofPinned(source, readSummaries(db, scope)), counts, 'turn_summaries')),
  );
  yield text(
    ENTRIES.contexts,
    lines(() => contextLines(source)),
  );
  for (const [index, file] of snapshot.files.entries()) {
    for (const version of file.versions) yield* versionEntries(source, file, version, index + 1);
  }
  if (!withVectors) return;
  yield text(
    ENTRIES.vectors,
    lines(() => counted(vectorLines(source), counts, 'vectors')),
  );
}

function* versionEntries(
  { db, originals, scope }: ArchiveSource,
  { fileId, name }: SnapshotFile,
  { version, bytes, hasMarkdown }: SnapshotVersion,
  number: number,
): Generator<NewEntry> {
  yield {
    path: originalEntry(number, version, name),
    // most documents are compressed as they are
    compress: false,
    async *content() {
      for (let offset = 0; offset < bytes; offset += PIECE_BYTES) {
        const piece = await originals.read(db, scope, { fileId, version }, { offset, length: PIECE_BYTES });
        if (!piece) throw changed(`"${name}"`);
        yield piece;
      }
    },
  };
  if (!hasMarkdown) return;
  yield {
    path: markdownEntry(number, version),
    compress: true,
    async *content() {
      const markdown = await readMarkdown(db, scope, fileId, version);
      if (markdown === null) throw changed(`"${name}"`);
      yield Buffer.from(markdown);
    },
  };
}

const archivedFile = ({ fileId, versions, ...file }: SnapshotFile, number: number): ArchivedFile => ({
  ...file,
  versions: versions.map(({ hasMarkdown, ...version }) => ({
    ...version,
    original: originalEntry(number, version.version, file.name),
    markdown: hasMarkdown ? markdownEntry(number, version.version) : null,
  })),
});

/** The turns that had ended by the moment of the snapshot, none of them tried again since. */
async function* pinnedTurns({ db, scope, snapshot }: ArchiveSource) {
  let seen = 0;
  for await (const turn of readTurns(db, scope)) {
    if (snapshot.turns.get(turn.turn_number) !== turn.attempt) continue;
    seen += 1;
    yield turn;
  }
  if (seen !== snapshot.turns.size) throw changed('a turn');
}

async function* ofPinned<T extends { turn_number: number }>(
  { snapshot }: ArchiveSource,
  rows: AsyncIterable<T>,
): AsyncGenerator<T> {
  for await (const row of rows) if (snapshot.turns.has(row.turn_number)) yield row;
}

async function* contextLines({ db, scope, snapshot }: ArchiveSource) {
  for (const [index, { fileId }] of snapshot.files.entries()) {
    for await (const context of readContexts(db, scope, fileId)) yield { file: index + 1, ...context };
  }
}

async function* vectorLines({ db, scope }: ArchiveSource) {
  for await (const { hash, vector } of readVectors(db, scope)) yield { hash, vector: encodeVector(vector) };
}

async function* counted<T>(
  rows: AsyncIterable<T>,
  counts: ArchiveCounts,
  key: keyof ArchiveCounts,
): AsyncGenerator<T> {
  for await (const row of rows) {
    counts[key] += 1;
    yield row;
  }
}
