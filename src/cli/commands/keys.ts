import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Schema } from '../../../clients/typescript/src/index.ts';
import { ACCESS_SCOPES, type AccessScope } from '../../scope.ts';
import { type Terminal, withService } from '../context.ts';
import { type Output, table } from '../output.ts';

interface CreateOptions {
  scope?: AccessScope[];
  expires?: string;
  requests?: number;
  expensive?: number;
  workspace?: string;
}

const EXAMPLES = `
From the first key on, every caller needs one; it has to have the scope service. Without FORGE_URL a key is made on the
database itself, which needs none.

Examples:
  forge keys create Operations --scope service
  forge keys create Reporting --scope read --expires 2027-01-01T00:00:00Z`;

const workspaceOption = () =>
  new Option('-w, --workspace <id>', 'of a workspace other than your own; needs the scope service');

/** @throws InvalidArgumentError when an option's text is not a whole number */
function countOf(text: string): number {
  if (/^\d{1,7}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number.');
}

function printKeys(all: readonly Schema<'ApiKey'>[], out: Output): void {
  if (all.length === 0) {
    out.line('There are no keys. Make the first: forge keys create NAME --scope service');
    return;
  }
  const day = (time: string | null): string => time?.slice(0, 10) ?? 'never';
  const rows = all.map(({ id, scopes, created_at: made, last_used_at: used, expires_at: expires, name }) => [
    id,
    scopes.join(' '),
    day(made),
    day(used),
    day(expires),
    name,
  ]);
  out.line(table([['id', 'scopes', 'made', 'used', 'expires', 'name'], ...rows], out.width));
}

/** `forge keys`: make, list and revoke API keys. */
export function keyCommands(program: Command, terminal: Terminal): void {
  const keys = program.command('keys').description('Make, list and revoke API keys');

  keys
    .command('list', { isDefault: true })
    .description('List the keys, without the keys themselves')
    .addOption(workspaceOption())
    .action(async ({ workspace }: { workspace?: string }, command: Command) => {
      await withService({ command, terminal }, async ({ api, out }) => {
        const all: Schema<'ApiKey'>[] = [];
        const query = workspace === undefined ? {} : { workspace };
        for await (const key of api.list('/keys', { query })) all.push(key);
        if (out.isJson) for (const key of all) out.json(key);
        else printKeys(all, out);
      });
    });

  keys
    .command('create')
    .description('Make a key; it is shown this once')
    .argument('<name...>', 'who or what has it')
    .addOption(
      new Option('-s, --scope <scope...>', 'what it allows; each holds those before it').choices(
        ACCESS_SCOPES,
      ),
    )
    .option('--expires <time>', 'from when it is not valid, as 2027-01-01T00:00:00Z')
    .option('--requests <count>', 'requests a minute that it may send; 0: no limit', countOf)
    .option('--expensive <count>', 'of them, those that call a model or convert a file', countOf)
    .addOption(workspaceOption())
    .addHelpText('after', EXAMPLES)
    .action(async (words: string[], options: CreateOptions, command: Command) => {
      await withService({ command, terminal }, async ({ api, out }) => {
        const { scope = ['write'], expires, workspace, requests, expensive } = options;
        const body = {
          name: words.join(' '),
          scopes: scope,
          ...(expires !== undefined && { expires_at: expires }),
          ...(workspace !== undefined && { workspace }),
          rate_limits: {
            ...(requests !== undefined && { requests }),
            ...(expensive !== undefined && { expensive }),
          },
        };
        const made = await api.call('post', '/keys', { body });
        if (out.isJson) return out.json(made);
        out.note(`${made.id} (${made.scopes.join(', ')}). Keep the key: it is not shown again.`);
        out.line(made.key);
      });
    });

  keys
    .command('revoke')
    .description('Revoke a key: its next request is refused')
    .argument('<id>', 'of the key')
    .addOption(workspaceOption())
    .option('--force', 'also the last key that can make others')
    .action(async (id: string, options: { workspace?: string; force?: boolean }, command: Command) => {
      await withService({ command, terminal }, async ({ api, out }) => {
        const { workspace, force } = options;
        const query = { ...(workspace !== undefined && { workspace }), ...(force && { force }) };
        const deletion = await api.call('delete', '/keys/{id}', { path: { id }, query });
        if (out.isJson) out.json(deletion);
        else out.line(`${id}: revoked`);
      });
    });
}
