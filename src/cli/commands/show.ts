import type { Command } from 'commander';
import type { Api } from '../api.ts';
import { type Terminal, withService } from '../context.ts';
import { CliError, EXIT } from '../exit.ts';
import { type PlaceOptions, projectOf, projectOption } from '../place.ts';
import { showReceipt } from '../receipt-table.ts';
import { wholeNumber } from './search.ts';

/** `forge show`: the receipt of a turn. */
export function showCommand(program: Command, terminal: Terminal): void {
  program
    .command('show')
    .description('Show what was sent to the large model for a turn, as a table with bars')
    .argument('[turn]', 'its number; the newest one without', wholeNumber)
    .addOption(projectOption())
    .addHelpText('after', '\nExample:\n  forge show 12 --project roi')
    .action(async (turn: number | undefined, options: PlaceOptions, command: Command) => {
      const project = projectOf(options);
      await withService({ command, terminal }, async (context) => {
        const number = turn ?? (await newestTurn(context.api, project));
        await showReceipt(context, project, number);
      });
    });
}

async function newestTurn(api: Api, project: string): Promise<number> {
  const page = await api.call('get', '/projects/{project_id}/turns', {
    path: { project_id: project },
    query: { limit: 1, order: 'desc' },
  });
  const [newest] = page.data;
  if (newest) return newest.turn_number;
  throw new CliError(EXIT.notFound, 'The project has no turns yet.');
}
