import type { Command } from 'commander';
import type { Schema } from '../../../clients/typescript/src/index.ts';
import { type Terminal, withService } from '../context.ts';
import { type Output, table } from '../output.ts';
import { libraryOption, type PlaceOptions, placeOf, projectOption } from '../place.ts';

/** `forge usage`: what was used. */
export function usageCommand(program: Command, terminal: Terminal): void {
  program
    .command('usage')
    .description('What a project, or the library, has used: calls, tokens and cost by model and phase')
    .addOption(projectOption())
    .addOption(libraryOption())
    .option('--workspace', 'what the whole workspace holds and has spent this month, with its quotas')
    .option('--since <day>', 'only from this day on, as 2026-11-01')
    .option('--csv', 'as comma-separated values')
    .addHelpText(
      'after',
      '\nExamples:\n  forge usage --project roi\n  forge usage --project roi --since 2026-11-01 --csv > usage.csv',
    )
    .action(
      async (
        options: PlaceOptions & { csv?: boolean; since?: string; workspace?: boolean },
        command: Command,
      ) => {
        const query = options.since === undefined ? {} : { since: options.since };
        await withService({ command, terminal }, async ({ api, out }) => {
          if (options.workspace) {
            const usage = await api.call('get', '/usage', {});
            return out.isJson ? out.json(usage) : printQuotas(usage, out);
          }
          const { at, path } = placeOf(options);
          const usage = await api.call('get', `${at}/usage`, { path, query });
          if (out.isJson) out.json(usage);
          else if (options.csv) out.line(csvOf(usage));
          else printUsage(usage, out);
        });
      },
    );
}

/** What a workspace holds and has spent, each beside its limit. */
export function printQuotas(
  { object: _object, workspace, resets_at: resetsAt, ...uses }: Schema<'WorkspaceUsage'>,
  out: Output,
): void {
  const rows = Object.entries(uses).map(([name, { used, limit }]) => [name, used, limit ?? 'no limit']);
  out.line(table([[workspace, 'used', 'limit'], ...rows], out.width));
  out.note(`The next month begins at ${resetsAt}.`);
}

const FIGURES = [
  'calls',
  'input_tokens',
  'cached_tokens',
  'cache_write_tokens',
  'output_tokens',
  'cost_usd',
] as const;
type Account = Schema<'ProjectUsage'> | Schema<'LibraryUsage'>;
type Entry = Account['entries'][number];

function printUsage({ entries, total }: Account, out: Output): void {
  const cost = (figure: number | null): string => (figure === null ? 'unknown' : `$${figure.toFixed(4)}`);
  const row = (phase: string, model: string, of: Omit<Entry, 'phase' | 'model'>) => [
    phase,
    model,
    of.calls,
    of.input_tokens,
    of.cached_tokens,
    of.output_tokens,
    cost(of.cost_usd),
  ];
  const head = ['phase', 'model', 'calls', 'tokens in', 'of them cached', 'tokens out', 'cost'];
  const rows = entries.map((entry) => row(entry.phase, entry.model, entry));
  out.line(table([head, ...rows, row('all', '', total)], out.width));
}

/** With line ends of one character; a cell that a spreadsheet would take for a formula is quoted as text. */
export function csvOf({ entries }: Pick<Account, 'entries'>): string {
  const cell = (value: string | number | null): string => {
    const text = value === null ? '' : String(value);
    const safe = typeof value === 'string' && /^[=+\-@\t]/.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  const rows = entries.map((entry) => [entry.phase, entry.model, ...FIGURES.map((name) => entry[name])]);
  return [['phase', 'model', ...FIGURES], ...rows].map((row) => row.map(cell).join(',')).join('\n');
}
