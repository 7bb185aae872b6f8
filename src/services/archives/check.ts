import type { z } from 'zod';
import { archiveInvalid, archiveTooLarge } from '../../archive/archive-invalid.ts';
import {
  type ArchiveCounts,
  type ArchivedFile,
  type ArchivedUsage,
  archivedContextSchema,
  archivedEventSchema,
  archivedFileSchema,
  archivedProjectSchema,
  archivedSummarySchema,
  archivedTurnSchema,
  archivedUsageSchema,
  archivedVectorSchema,
  ENTRIES,
} from '../../archive/format.ts';
import { type Archive, parseAs } from '../../archive/open-archive.ts';
import { decodeVector } from '../../archive/vector-bytes.ts';
import type { ProjectState } from '../../contract/state.ts';
import { AppError } from '../../errors.ts';
import { readState } from '../../state/read.ts';
import { checkRegister } from '../../state/register.ts';
import { fileNameFrom } from '../file-names.ts';
import type { ProjectLimits } from './limits.ts';

/** What of an archive is known before anything is stored; the rest is read again when it is. */
export interface CheckedArchive {
  id: string;
  name: string;
  createdAt: string;
  summarisedThrough: number;
  contextual: boolean | null;
  state: ProjectState;
  files: ArchivedFile[];
  usage: ArchivedUsage;
  /** The turns that have a summary. */
  summarised: ReadonlySet<number>;
  counts: ArchiveCounts;
  /** Entries that this version does not know. */
  ignored: string[];
}

/**
 * Reads all that an archive says, without storing anything, so that what is stored afterwards can be.
 *
 * @throws AppError `archive_invalid` naming entry and line, `archive_too_large`, `too_many_files`
 */
export async function checkArchive(archive: Archive, limits: ProjectLimits): Promise<CheckedArchive> {
  const project = parseAs(
    archivedProjectSchema,
    await archive.json(required(archive, ENTRIES.project)),
    ENTRIES.project,
  );
  const state = stateOf(await archive.json(required(archive, ENTRIES.state)));
  const usage = parseAs(
    archivedUsageSchema,
    await archive.json(required(archive, ENTRIES.usage)),
    ENTRIES.usage,
  );
  const files = await checkFiles(archive, limits);
  const turns = await checkTurns(archive, limits);
  const events = await checkRows(archive, turns, ENTRIES.events, archivedEventSchema, ({ seq }) => seq);
  const summaries = await checkRows(archive, turns, ENTRIES.summaries, archivedSummarySchema, () => 0);
  const counts: ArchiveCounts = {
    files: files.length,
    versions: files.reduce((sum, { versions }) => sum + versions.length, 0),
    turns: turns.size,
    turn_events: events.rows,
    turn_summaries: summaries.rows,
    vectors: await checkVectors(archive),
  };
  await checkContexts(archive, files.length);
  for (const [kind, found] of Object.entries(counts)) {
    const said = archive.manifest.counts[kind as keyof ArchiveCounts];
    if (found !== said)
      throw archiveInvalid(`${ENTRIES.manifest} counts ${said} ${kind}, and there are ${found}.`);
  }
  return {
    id: project.id,
    name: project.name,
    createdAt: project.created_at,
    summarisedThrough: project.summarised_through,
    contextual: project.contextual ?? null,
    state,
    files,
    usage,
    summarised: summaries.turns,
    counts,
    ignored: archive.unknown(knownEntries(files)),
  };
}

function required(archive: Archive, name: string): string {
  checkSize(archive, name, Number.POSITIVE_INFINITY);
  return name;
}

function checkSize(archive: Archive, name: string, most: number): void {
  const entry = archive.entry(name);
  if (!entry) throw archiveInvalid(`"${name}" is missing from the archive.`);
  if (entry.bytes > most) {
    throw archiveTooLarge(`"${name}" has ${entry.bytes} bytes, and may have ${most} here.`);
  }
}

const knownEntries = (files: readonly ArchivedFile[]): Set<string> =>
  new Set([
    ...Object.values(ENTRIES),
    ...files.flatMap(({ versions }) =>
      versions.flatMap(({ original, markdown }) => [original, ...(markdown === null ? [] : [markdown])]),
    ),
  ]);

/** The state as this version has it: brought up to date, and with a register that holds together. */
function stateOf(json: unknown): ProjectState {
  try {
    const state = readState(json);
    checkRegister(state.assumptions, '/assumptions');
    return state;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const reason = error.cause instanceof Error ? error.cause.message : error.detail;
    throw archiveInvalid(`${ENTRIES.state} is no state of a project: ${reason.replace(/\.$/, '')}.`, error);
  }
}

async function checkFiles(archive: Archive, limits: ProjectLimits): Promise<ArchivedFile[]> {
  const files: ArchivedFile[] = [];
  const names = new Set<string>();
  checkSize(archive, ENTRIES.files, limits.fileListBytes);
  for await (const { line, value: file } of archive.lines(
    required(archive, ENTRIES.files),
    archivedFileSchema,
  )) {
    const where = `${ENTRIES.files}, line ${line}`;
    if (files.length >= limits.files) {
      throw new AppError('too_many_files', {
        detail: `The archive has more files than the ${limits.files} that a project holds here. Nothing was stored.`,
      });
    }
    if (!isFileName(file.name))
      throw archiveInvalid(`${where}: ${JSON.stringify(file.name)} is no name of a file.`);
    if (names.has(file.name)) throw archiveInvalid(`${where}: there is another file "${file.name}".`);
    names.add(file.name);
    checkVersions(archive, file, where, limits);
    files.push(file);
  }
  return files;
}

function isFileName(name: string): boolean {
  try {
    return fileNameFrom(name) === name;
  } catch {
    return false;
  }
}

function checkVersions(archive: Archive, file: ArchivedFile, where: string, limits: ProjectLimits): void {
  const numbers = file.versions.map(({ version }) => version);
  if (numbers.some((number, index) => number <= (numbers[index - 1] ?? 0))) {
    throw archiveInvalid(`${where}: the versions do not rise.`);
  }
  if (numbers.at(-1) !== file.version || !numbers.includes(file.searchable_version ?? file.version)) {
    throw archiveInvalid(`${where}: the newest or the searchable version is missing.`);
  }
  for (const version of file.versions) {
    const original = archive.entry(version.original);
    if (original?.bytes !== version.bytes || original.sha256 !== version.sha256) {
      throw archiveInvalid(
        `${where}: "${version.original}" is not the original of version ${version.version}.`,
      );
    }
    checkSize(archive, version.original, limits.originalBytes);
    if (version.markdown !== null) checkSize(archive, version.markdown, limits.markdownBytes);
  }
}

/** The numbers of the turns. */
async function checkTurns(archive: Archive, limits: ProjectLimits): Promise<Set<number>> {
  const numbers = new Set<number>();
  let last = 0;
  for await (const { line, value } of archive.lines(required(archive, ENTRIES.turns), archivedTurnSchema)) {
    if (value.turn_number <= last) {
      throw archiveInvalid(`${ENTRIES.turns}, line ${line}: turn ${value.turn_number} comes after ${last}.`);
    }
    last = value.turn_number;
    numbers.add(last);
    if (numbers.size > limits.turns) {
      throw archiveTooLarge(`The archive has more turns than the ${limits.turns} that can be imported.`);
    }
  }
  return numbers;
}

/** The rows of turns, each of a turn that is there, in order of the turn and then of `place`; the turns that have any. */
async function checkRows<T extends { turn_number: number }>(
  archive: Archive,
  known: ReadonlySet<number>,
  name: string,
  schema: z.ZodType<T>,
  place: (row: T) => number,
): Promise<{ rows: number; turns: Set<number> }> {
  const turns = new Set<number>();
  let rows = 0;
  let last = { turn: 0, place: 0 };
  for await (const { line, value } of archive.lines(required(archive, name), schema)) {
    const here = { turn: value.turn_number, place: place(value) };
    if (!known.has(here.turn)) throw archiveInvalid(`${name}, line ${line}: there is no turn ${here.turn}.`);
    if (here.turn < last.turn || (here.turn === last.turn && here.place <= last.place)) {
      throw archiveInvalid(`${name}, line ${line}: is out of order.`);
    }
    last = here;
    rows += 1;
    turns.add(here.turn);
  }
  return { rows, turns };
}

/** Each context is of a file that is there, in order of the file and then of the hash, so that no leaf has two. */
async function checkContexts(archive: Archive, files: number): Promise<void> {
  if (!archive.entry(ENTRIES.contexts)) return;
  let last = { file: 0, hash: '' };
  for await (const { line, value } of archive.lines(ENTRIES.contexts, archivedContextSchema)) {
    const where = `${ENTRIES.contexts}, line ${line}`;
    if (value.file > files) throw archiveInvalid(`${where}: there is no file ${value.file}.`);
    if (value.file < last.file || (value.file === last.file && value.hash <= last.hash)) {
      throw archiveInvalid(`${where}: is out of order, or there twice.`);
    }
    last = value;
  }
}

/** How many vectors there are, each of the model that the manifest names. */
async function checkVectors(archive: Archive): Promise<number> {
  const { embedding } = archive.manifest;
  if (!embedding) return 0;
  let vectors = 0;
  for await (const { line, value } of archive.lines(
    required(archive, ENTRIES.vectors),
    archivedVectorSchema,
  )) {
    if (!decodeVector(value.vector, embedding.dimensions)) {
      throw archiveInvalid(
        `${ENTRIES.vectors}, line ${line}: is no vector of ${embedding.dimensions} dimensions.`,
      );
    }
    vectors += 1;
  }
  return vectors;
}
