import { type Command, InvalidArgumentError } from 'commander';
import type { Schema } from '../../../clients/typescript/src/index.ts';
import type { QuotaName } from '../../contract/quota.ts';
import type { Api } from '../api.ts';
import { type Terminal, withService } from '../context.ts';
import { CliError, EXIT } from '../exit.ts';
import { printQuotas } from './usage.ts';

/** How a limit is written; `default`: as the service is set. */
type Limit = number | 'none' | 'default';
type Options = Partial<Record<string, Limit>>;

/** What options and quotas are called. */
const QUOTAS: readonly [option: string, quota: QuotaName, description: string][] = [
  ['projects', 'projects', 'projects'],
  ['files', 'files', 'files of all projects and of the library'],
  ['bytes', 'bytes', 'bytes of their originals, of all versions'],
  ['keys', 'keys', 'API keys'],
  ['tokens', 'tokens_per_month', 'tokens in a calendar month'],
  ['usd', 'usd_per_month', 'the same in US dollars'],
];

const EXAMPLES = `
A limit is a number, none, or default: as the service is set (QUOTA_*). Options that are left out change nothing.

Examples:
  forge workspace quotas
  forge workspace quotas acme
  forge workspace quotas acme --bytes 10000000000 --usd 50 --files none --keys default`;

/** @throws InvalidArgumentError for what is no limit */
function limitOf(text: string): Limit {
  if (text === 'none' || text === 'default') return text;
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a number, none or default.');
}

/** As the service has them; null: no limit. */
type Changes = Partial<Record<QuotaName, number | null | 'default'>>;

const changesOf = (options: Options): Changes =>
  Object.fromEntries(
    QUOTAS.flatMap(([option, quota]) => {
      const limit = options[option];
      return limit === undefined ? [] : [[quota, limit === 'none' ? null : limit]];
    }),
  );

async function usageOf(
  api: Api,
  id: string | undefined,
  changes: Changes,
): Promise<Schema<'WorkspaceUsage'>> {
  if (id === undefined) return api.call('get', '/usage', {});
  const path = { workspace_id: id };
  const isChange = Object.keys(changes).length > 0;
  const { usage } = await (isChange
    ? api.call('patch', '/workspaces/{workspace_id}', { path, body: { quotas: changes } })
    : api.call('get', '/workspaces/{workspace_id}', { path }));
  if (usage === undefined)
    throw new CliError(EXIT.failed, 'The service does not say what the workspace uses.');
  return usage;
}

/** `forge workspace quotas`: what a workspace may hold and spend, shown or set. */
export function workspaceCommands(program: Command, terminal: Terminal): void {
  const quotas = program
    .command('workspace')
    .description('What a workspace may hold and spend')
    .command('quotas')
    .description('Show the quotas of a workspace with what is used of them, or set some')
    .argument('[id]', 'of the workspace, for a key with the scope service; your own without')
    .addHelpText('after', EXAMPLES);
  for (const [option, , description] of QUOTAS) {
    quotas.option(`--${option} <limit>`, `set how many there may be: ${description}`, limitOf);
  }
  quotas.action(async (id: string | undefined, options: Options, command: Command) => {
    const changes = changesOf(options);
    if (id === undefined && Object.keys(changes).length > 0) {
      throw new CliError(EXIT.usage, 'Name the workspace whose quotas are to be set.');
    }
    await withService({ command, terminal }, async ({ api, out }) => {
      const usage = await usageOf(api, id, changes);
      if (out.isJson) out.json(usage);
      else printQuotas(usage, out);
    });
  });
}
