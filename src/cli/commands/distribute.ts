import type { Command } from 'commander';
import { distribute } from '../../db/distribution/distribute.ts';
import type { TableStep } from '../../db/distribution/plan.ts';
import { outputOf, type Terminal } from '../context.ts';
import { withDatabase } from '../database.ts';
import { CliError, EXIT } from '../exit.ts';
import { table } from '../output.ts';

const PLACEMENT: Record<TableStep['placement'], string> = {
  distributed: 'distributed by project_id',
  reference: 'on every node',
  local: 'on the coordinator',
};

/** `forge distribute`: the tables of projects over the nodes of a Citus cluster. */
export function distributeCommand(program: Command, terminal: Terminal): void {
  program
    .command('distribute')
    .description(
      'Distribute the projects of a Citus cluster over its nodes, or say what is not where it belongs; stop the service meanwhile. Needs the owner of the tables: DATABASE_MIGRATION_URL, or DATABASE_URL, of the coordinator',
    )
    .option('--dry-run', 'only say what would be done')
    .action(async ({ dryRun = false }: { dryRun?: boolean }, command: Command) => {
      const out = outputOf({ command, terminal });
      await withDatabase(terminal.environment, async (db) => {
        if (db.kind === 'embedded') {
          throw new CliError(
            EXIT.usage,
            'The embedded database is one file: this is for the server of DATABASE_URL.',
          );
        }
        const onStatement = (sql: string) => out.note(sql.replace(/\s+/g, ' '));
        const { tables, statements, workers } = await distribute(db, {
          isDry: dryRun,
          ...(!out.isJson && { onStatement }),
        }).catch((error: unknown) => {
          throw new CliError(EXIT.failed, error instanceof Error ? error.message : String(error), error);
        });
        if (out.isJson) {
          return out.json({ object: 'distribution', dry_run: dryRun, workers, tables, statements });
        }
        const rows = tables.map(({ table: name, placement, isDone, why }) => [
          name,
          PLACEMENT[placement],
          isDone ? 'is so' : dryRun ? 'would be done' : 'done',
          why,
        ]);
        out.line(table([['table', 'where', '', 'because'], ...rows], out.width));
        for (const { table: name, changes } of tables)
          for (const change of changes) out.line(`${name}: ${change}`);
        if (statements.length === 0) out.line(`All tables are where they belong, over ${workers} nodes.`);
        else if (dryRun) out.line(`${statements.length} statements over ${workers} nodes; nothing was done.`);
        else out.line(`Distributed over ${workers} nodes.`);
      });
    });
}
