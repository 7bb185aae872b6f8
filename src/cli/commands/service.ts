import type { Command } from 'commander';
import { isOpenApiCurrent, writeOpenApi } from '../../openapi-document.ts';
import { outputOf, type Terminal } from '../context.ts';
import { CliError, EXIT } from '../exit.ts';

/** `forge serve` and `forge openapi`. */
export function serviceCommands(program: Command, terminal: Terminal): void {
  program
    .command('serve')
    .description('Start the service; settings come from the environment, docs/settings.md lists them')
    .action(async () => {
      await import('../../main.ts');
    });

  program
    .command('openapi')
    .description('Write openapi/openapi.json, or check that it is current')
    .option('--check', 'only check')
    .action(async ({ check }: { check?: boolean }, command: Command) => {
      const out = outputOf({ command, terminal });
      if (!check) return out.line(`wrote ${await writeOpenApi()}`);
      if (await isOpenApiCurrent()) return out.line('openapi/openapi.json is current');
      throw new CliError(
        EXIT.failed,
        'openapi/openapi.json is not what the routes declare: run `npm run openapi` and commit it',
      );
    });
}
