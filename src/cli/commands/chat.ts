import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import { type CommandContext, type Terminal, withService } from '../context.ts';
import { asCliError, CliError } from '../exit.ts';
import { type PlaceOptions, projectOf, projectOption } from '../place.ts';
import { showReceipt } from '../receipt-table.ts';
import { printEnd, sayTurn } from './turn.ts';

const HELP = '/show  what was sent for the last reply    /quit  leave    Ctrl-C  cancel a reply, or leave';

/** `forge chat`: a conversation in the terminal. */
export function chatCommand(program: Command, terminal: Terminal): void {
  program
    .command('chat')
    .description('Talk to the copilot of a project in the terminal')
    .addOption(projectOption())
    .addHelpText('after', `\nIn the conversation:\n  ${HELP}\n\nExample:\n  forge chat --project roi`)
    .action(async (options: PlaceOptions, command: Command) => {
      const project = projectOf(options);
      await withService({ command, terminal }, (context) => converse(context, project), { withJobs: true });
    });
}

async function converse(context: CommandContext, project: string): Promise<void> {
  const { api, out, terminal, where } = context;
  const { name } = await api.call('get', '/projects/{project_id}', { path: { project_id: project } });
  out.note(`${name}, at ${where}\n${HELP}`);
  // the prompt is no result: what is piped on is the replies alone
  const input = createInterface({ input: terminal.stdin, output: terminal.stderr, prompt: '> ' });
  let running: AbortController | null = null;
  let last: number | null = null;
  input.on('SIGINT', () => (running ? running.abort() : input.close()));
  input.prompt();
  for await (const line of input) {
    const said = line.trim();
    if (said === '/quit') break;
    if (said === '/show') {
      if (last === null) out.note('Nothing was said yet.');
      else await showReceipt({ api, out }, project, last);
    } else if (said.startsWith('/')) {
      out.note(HELP);
    } else if (said !== '') {
      running = new AbortController();
      last = (await reply({ ...context, signal: running.signal }, project, said)) ?? last;
      running = null;
    }
    input.prompt();
  }
  input.close();
}

/** One turn and its number; what goes wrong with it is told, and the conversation goes on. */
async function reply(context: CommandContext, project: string, message: string): Promise<number | null> {
  try {
    const turn = await sayTurn(context, project, { message });
    printEnd(context, turn);
    return turn.turn_number;
  } catch (thrown) {
    const error = asCliError(thrown);
    if (!(error instanceof CliError)) throw error;
    context.out.note(error.message);
    return null;
  }
}
