import type { Readable, Writable } from 'node:stream';
import { type Command, Option } from 'commander';
import { bridgeStdio } from '../../mcp/stdio.ts';
import { type Invocation, type Terminal, withService } from '../context.ts';

const HELP = `
The client starts this command by itself, and speaks with it over its standard input and output: docs/mcp.md has the
configuration of common ones. Where a service runs, its own address /mcp does without this command.

Examples:
  forge mcp --project roi
  FORGE_URL=http://127.0.0.1:3000 forge mcp`;

/** `forge mcp`. */
export function mcpCommand(program: Command, terminal: Terminal): void {
  program
    .command('mcp')
    .description('Serve the Model Context Protocol over standard input and output, for agents')
    .addOption(
      new Option('-p, --project <id>', 'the project; without, each call names one').env('FORGE_PROJECT'),
    )
    .addHelpText('after', HELP)
    .action(async ({ project }: { project?: string }, command: Command) => {
      await serve({ command, terminal }, project);
    });
}

function serve(invocation: Invocation, project: string | undefined): Promise<void> {
  return withService(invocation, async ({ api, origin, key, out, terminal, signal }) => {
    // what there is not is said now, and not by the first call of an agent
    if (project !== undefined) {
      await api.call('get', '/projects/{project_id}', { path: { project_id: project } });
    }
    const query = project === undefined ? '' : `?${new URLSearchParams({ project })}`;
    await bridgeStdio({
      url: new URL(`${origin}/mcp${query}`),
      key,
      stdin: terminal.stdin as Readable,
      stdout: terminal.stdout as Writable,
      signal,
      onProblem: (text) => out.note(`forge: ${text}`),
    });
  });
}
