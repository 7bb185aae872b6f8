import { open, readdir, stat } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { type Command, Option } from 'commander';
import pMap from 'p-map';
import type { Schema } from '../../../clients/typescript/src/index.ts';
import type { CommandContext } from '../context.ts';
import { type Terminal, withService } from '../context.ts';
import { asCliError, CliError, EXIT } from '../exit.ts';
import { libraryOption, type PlaceOptions, placeOf, projectOption } from '../place.ts';
import { createProgress, type Progress } from '../progress.ts';

type File = Schema<'StoredFile'>;

interface IngestOptions extends PlaceOptions {
  onDuplicate?: string;
  chunking?: string;
  minFidelity?: string;
  contextual?: 'on' | 'off';
}

/** A file on disk, and the name that it is stored under. */
interface Source {
  path: string;
  name: string;
}

/** So many files are sent and followed at once. */
const AT_ONCE = 4;
/** What is not looked at in a folder. */
const SKIPPED = /^(?:\.|node_modules$)/;
/** A share of the whole for each stage of an ingestion, by what it takes of the time as a rule. */
const STAGE_FROM = { converting: 0.1, chunking: 0.25, storing: 0.28, embedding: 0.3, summarizing: 0.95 };
/** Of a newer version, which is embedded before it is stored. */
const EMBEDDED = 0.85;

/** `forge ingest`: files, or all files below folders, into a project or the library. */
export function ingestCommand(program: Command, terminal: Terminal): void {
  program
    .command('ingest')
    .description('Store files and make them searchable; into the library, unless a project is named')
    .argument('<paths...>', 'files, or folders with all that is below them')
    .addOption(projectOption())
    .addOption(libraryOption())
    .addOption(
      new Option('--on-duplicate <what>', 'for a name that is there already').choices([
        'replace',
        'skip',
        'error',
      ]),
    )
    .option(
      '--chunking <json>',
      'how to cut, as JSON: {"strategy":"fixed","chunk_chars":1500,"overlap_chars":200}',
    )
    .option('--min-fidelity <share>', 'refuse what a conversion keeps less of, 0 to 1')
    .addOption(
      new Option('--contextual <what>', 'whether a model writes a context for each leaf').choices([
        'on',
        'off',
      ]),
    )
    .addHelpText(
      'after',
      '\nExamples:\n  forge ingest report.docx notes.md --project roi\n  forge ingest ./handbook --library',
    )
    .action(async (paths: string[], options: IngestOptions, command: Command) => {
      const sources = await sourcesOf(paths);
      await withService({ command, terminal }, (context) => ingest(context, sources, options), {
        withJobs: true,
      });
    });
}

async function ingest(context: CommandContext, sources: Source[], options: IngestOptions): Promise<void> {
  const { out } = context;
  const progress = createProgress(out, sources.length);
  const files: File[] = [];
  const failures: { name: string; error: unknown }[] = [];
  const takeOne = async (source: Source): Promise<void> => {
    try {
      files.push(await ingestOne(context, source, options, progress));
    } catch (thrown) {
      if (context.signal.aborted) throw thrown;
      const error = asCliError(thrown);
      failures.push({ name: source.name, error });
      progress.finish(source.name, `failed: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  await pMap(sources, takeOne, { concurrency: AT_ONCE });
  progress.end();
  if (out.isJson) for (const file of files) out.json(file);
  const failed = failures.length + files.filter(({ status }) => status === 'failed').length;
  if (failed === 0) return;
  const [first] = failures;
  const code = failed === 1 && first?.error instanceof CliError ? first.error.exitCode : EXIT.failed;
  throw new CliError(code, `${failed} of ${sources.length} files could not be ingested.`);
}

/** Sends a file and follows it until it is searchable or has failed. */
async function ingestOne(
  { api, signal }: CommandContext,
  { path, name }: Source,
  options: IngestOptions,
  progress: Progress,
): Promise<File> {
  const { project } = placeOf(options);
  const fields = {
    ...(options.onDuplicate !== undefined && { on_duplicate: options.onDuplicate }),
    ...(options.chunking !== undefined && { chunking: options.chunking }),
    ...(options.minFidelity !== undefined && { min_fidelity: options.minFidelity }),
    ...(options.contextual !== undefined && { contextual: String(options.contextual === 'on') }),
  };
  progress.update(name, 'sending', 0);
  const content = await blobOf(path);
  let file = await api.upload(project, [{ name, content }], { wait: 0, fields, signal });
  if (isUnderWay(file)) {
    for await (const { event, data } of api.followFile(project, file.name, { signal })) {
      if (event === 'file.deleted') throw new CliError(EXIT.failed, 'it was deleted in the meantime');
      file = data;
      if (isUnderWay(file)) progress.update(name, stageOf(file), shareOf(file));
    }
  }
  if (isUnderWay(file)) {
    throw new CliError(EXIT.unavailable, 'it is not known what becomes of it: the service ended its events');
  }
  progress.finish(name, verdictOn(file));
  return file;
}

const isUnderWay = ({ status }: File): boolean => status === 'queued' || status === 'in_progress';

async function blobOf(path: string): Promise<Blob> {
  // opened first: a blob of a file that cannot be read fails late and without a word
  const handle = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    throw new CliError(EXIT.failed, `${path} cannot be read: ${error.code ?? error.message}`, error);
  });
  try {
    return new Blob([await handle.readFile()]);
  } finally {
    await handle.close();
  }
}

const stageOf = ({ stage, status, waiting_on_rate_limit: isWaiting, retry_at: at }: File): string =>
  isWaiting && at !== null ? `waiting for the provider until ${at}` : (stage ?? status);

function shareOf({ stage, progress: { chunks_done: done, chunks_total: total } }: File): number {
  const from = stage === null ? 0 : STAGE_FROM[stage];
  if (total === 0) return from;
  if (stage === 'storing' && done === total) return EMBEDDED;
  return stage === 'embedding' ? from + (EMBEDDED - from) * (done / total) : from;
}

function verdictOn({
  status,
  version,
  chunk_count: leaves,
  token_estimate: tokens,
  fidelity,
  contexts,
  last_error,
}: File): string {
  if (status === 'failed') return `failed: ${last_error?.message ?? 'no reason was given'}`;
  if (status !== 'completed') return status;
  const losses = fidelity && fidelity.score < 1 ? `, fidelity ${fidelity.score}` : '';
  const follows = contexts.state === 'pending' ? ', contexts follow' : '';
  return `searchable, version ${version}, ${leaves} leaves, ${tokens} tokens${losses}${follows}`;
}

/** @throws CliError when a path is not there, or there is no file at all */
async function sourcesOf(paths: readonly string[]): Promise<Source[]> {
  const sources: Source[] = [];
  for (const path of paths) {
    const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
      throw new CliError(EXIT.usage, `${path} cannot be read: ${error.code ?? error.message}`, error);
    });
    if (found.isDirectory()) sources.push(...(await filesBelow(path)));
    else sources.push({ path, name: basename(path) });
  }
  if (sources.length === 0) throw new CliError(EXIT.usage, 'There is no file in what was named.');
  return withOwnNames(sources);
}

async function filesBelow(folder: string): Promise<Source[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter(
      (path) =>
        !relative(folder, path)
          .split(sep)
          .some((part) => SKIPPED.test(part)),
    )
    .sort()
    .map((path) => ({ path, name: basename(path) }));
}

/**
 * Files of one name in several folders are told apart by their folders.
 *
 * @throws CliError when two would have one name still, or the same file is named twice
 */
function withOwnNames(sources: Source[]): Source[] {
  const counts = new Map<string, number>();
  for (const { name } of sources) counts.set(name, (counts.get(name) ?? 0) + 1);
  const named = sources.map(({ path, name }) => ({
    path,
    name: (counts.get(name) ?? 0) > 1 ? nameWithFolders(path) : name,
  }));
  const paths = new Map<string, string>();
  for (const { path, name } of named) {
    const other = paths.get(name);
    if (other !== undefined) {
      throw new CliError(
        EXIT.usage,
        `${other} and ${path} would both be stored as "${name}": ingest them apart.`,
      );
    }
    paths.set(name, path);
  }
  return named;
}

const nameWithFolders = (path: string): string =>
  relative('.', path)
    .split(sep)
    .filter((part) => part !== '..')
    .join(' - ');
