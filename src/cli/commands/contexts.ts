import { setTimeout as delay } from 'node:timers/promises';
import { type Command, InvalidArgumentError } from 'commander';
import pMap from 'p-map';
import type { Schema } from '../../../clients/typescript/src/index.ts';
import { type CommandContext, type Terminal, withService } from '../context.ts';
import { CliError, EXIT } from '../exit.ts';
import { type Output, table } from '../output.ts';
import { libraryOption, type PlaceOptions, placeOf, projectOption } from '../place.ts';
import { createProgress, type Progress } from '../progress.ts';

type Plan = Schema<'ContextsPlan'>;
type File = Schema<'StoredFile'>;

interface ContextsOptions extends PlaceOptions {
  apply?: boolean;
  maxUsd?: number;
}

/** So many files are looked at in turn: they are worked on one after another. */
const AT_ONCE = 4;
const PAUSE_MS = 500;

const EXAMPLES = `
Which files are to have contexts says CONTEXTUAL, their project (forge projects change ID --contextual on), or their upload.

Examples:
  forge contexts --project roi
  forge contexts --project roi --apply --max-usd 2
  forge contexts report.docx --library --apply`;

function dollars(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be an amount of US dollars, as 2.50.');
}

/** `forge contexts`: what a model writes on leaves, by its price first. */
export function contextsCommand(program: Command, terminal: Terminal): void {
  program
    .command('contexts')
    .description(
      'Say what it takes to write the contexts that leaves lack, and which files are to lose theirs; with --apply do it, and wait until it is done',
    )
    .argument('[names...]', 'of files, as they are listed; all of them without')
    .addOption(projectOption())
    .addOption(libraryOption())
    .option('--apply', 'do it: without, nothing is done')
    .option('--max-usd <amount>', 'do nothing where it costs more, or nobody knows what', dollars)
    .addHelpText('after', EXAMPLES)
    .action(async (names: string[], options: ContextsOptions, command: Command) => {
      const { apply = false } = options;
      await withService({ command, terminal }, (context) => bringInLine(context, names, options), {
        withJobs: apply,
      });
    });
}

async function bringInLine(
  context: CommandContext,
  names: readonly string[],
  options: ContextsOptions,
): Promise<void> {
  const { api, out } = context;
  const { apply = false, maxUsd } = options;
  const { at, path } = placeOf(options);
  const post = (dryRun: boolean) =>
    api.call('post', `${at}/files:contexts`, {
      path,
      body: { ...(names.length > 0 && { names: [...names] }), dry_run: dryRun },
    });
  const plan = await post(true);
  if (out.isJson) out.json(plan);
  else printPlan(plan, out);
  if (maxUsd !== undefined) assertNoDearer(plan, maxUsd);
  const changed = [...plan.written.map(({ name }) => name), ...plan.removed];
  if (changed.length === 0) return;
  if (!apply) {
    if (!out.isJson) out.note('Nothing was done: --apply does it.');
    return;
  }
  await post(false);
  await follow(context, changed, options);
}

const sumOf = (...parts: (number | null)[]): number | null =>
  parts.reduce((sum, part) => (sum === null || part === null ? null : sum + part), 0);

const price = (usd: number | null): string => (usd === null ? 'at a price not known' : `$${usd.toFixed(4)}`);

function printPlan({ written, removed, estimate, embedding }: Plan, out: Output): void {
  if (written.length > 0) {
    const rows = written.map(({ name, leaves, calls }) => [name, leaves, calls]);
    out.line(table([['name', 'leaves', 'calls'], ...rows], out.width));
    const {
      model,
      leaves,
      calls,
      input_tokens: read,
      cached_tokens: cached,
      output_tokens: wrote,
    } = estimate;
    out.line(
      `${leaves} contexts by ${model}: ${calls} calls, ${read} tokens in, ${cached} of them cached, ${wrote} out: ${price(estimate.cost_usd)}`,
    );
    if (embedding.tokens > 0) {
      out.line(
        `Embedded with them by ${embedding.model}: ${embedding.tokens} tokens: ${price(embedding.cost_usd)}`,
      );
    }
  }
  for (const name of removed) out.line(`${name}: its contexts are to be taken away`);
  if (written.length + removed.length === 0) out.line('Every file is as it is to be.');
}

/** @throws CliError when it takes more, or what it takes is not known */
function assertNoDearer({ estimate, embedding }: Plan, maxUsd: number): void {
  const cost = sumOf(estimate.cost_usd, embedding.tokens === 0 ? 0 : embedding.cost_usd);
  if (cost !== null && cost <= maxUsd) return;
  const why = cost === null ? 'What it costs is not known' : `It costs ${price(cost)}`;
  throw new CliError(EXIT.refused, `${why}, and --max-usd allows $${maxUsd}: nothing was done.`);
}

/** Waits until the contexts of files are as they are to be, or cannot be. */
async function follow(
  context: CommandContext,
  names: readonly string[],
  options: ContextsOptions,
): Promise<void> {
  const { out, signal } = context;
  const progress = createProgress(out, names.length);
  const one = (name: string) => followOne(context, name, { options, progress });
  const files = await pMap(names, one, { concurrency: AT_ONCE, signal });
  progress.end();
  if (out.isJson) for (const file of files) out.json(file);
  const failed = files.filter(({ contexts }) => ['partial', 'failed'].includes(contexts.state)).length;
  if (failed > 0) {
    throw new CliError(
      EXIT.failed,
      `In ${failed} of ${files.length} files leaves are left without contexts.`,
    );
  }
}

async function followOne(
  { api, signal }: CommandContext,
  name: string,
  { options, progress }: { options: PlaceOptions; progress: Progress },
): Promise<File> {
  const { at, path } = placeOf(options);
  for (;;) {
    const file = await api.call('get', `${at}/files/{name}`, { path: { ...path, name } });
    const { state, leaves } = file.contexts;
    if (state !== 'pending') {
      progress.finish(name, verdictOn(file));
      return file;
    }
    progress.update(name, 'writing contexts', leaves / Math.max(1, file.chunk_count));
    await delay(PAUSE_MS, undefined, { signal });
  }
}

function verdictOn({ contexts: { state, leaves, last_error: error }, chunk_count: all }: File): string {
  if (state === 'none') return 'without contexts';
  const share = leaves === all ? `${leaves} contexts` : `${leaves} contexts for ${all} leaves`;
  return error === null ? share : `${share}: ${error.message}`;
}
