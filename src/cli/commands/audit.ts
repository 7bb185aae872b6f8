import type { Command } from 'commander';
import { type Terminal, withService } from '../context.ts';
import { table } from '../output.ts';

type Filter = Partial<Record<'since' | 'until' | 'actor' | 'action', string>>;

/** `forge audit`: who did what. */
export function auditCommand(program: Command, terminal: Terminal): void {
  program
    .command('audit')
    .description('Who made, changed, deleted or exported what in the workspace')
    .option('--since <time>', 'only from then on, as 2026-11-01T00:00:00Z')
    .option('--until <time>', 'only before')
    .option('--actor <actor>', 'only of key:ID, open or cli')
    .option('--action <operation>', 'only of an operation, as deleteFile')
    .addHelpText('after', '\nExample:\n  forge audit --since 2026-11-01T00:00:00Z --json > audit.jsonl')
    .action(async (filter: Filter, command: Command) => {
      await withService({ command, terminal }, async ({ api, out }) => {
        const rows: (string | number)[][] = [['at', 'who', 'did', 'what', 'status']];
        for await (const event of api.list('/audit', { query: filter })) {
          if (out.isJson) out.json(event);
          else rows.push([event.at, event.actor_name, event.action, event.resource, event.status]);
        }
        if (!out.isJson) out.line(table(rows, out.width));
      });
    });
}
