import type { Command } from 'commander';
import { clearEmbeddingCache, readCacheFigures } from '../../db/embedding-cache.ts';
import { grantServiceRole } from '../../db/service-role.ts';
import { createEmbeddingModel } from '../../providers.ts';
import { openTraffic } from '../../recording/open-traffic.ts';
import { reindex } from '../../services/reindex.ts';
import { outputOf, type Terminal } from '../context.ts';
import { withDatabase, withDatabaseAsItIs } from '../database.ts';
import { CliError, EXIT } from '../exit.ts';
import { table } from '../output.ts';

/** `forge migrate`, `forge reindex`, `forge cache`, `forge database`: on the database itself. */
export function databaseCommands(program: Command, terminal: Terminal): void {
  migrateCommand(program, terminal);
  reindexCommand(program, terminal);
  cacheCommands(program, terminal);
  roleCommand(program, terminal);
}

function migrateCommand(program: Command, terminal: Terminal): void {
  program
    .command('migrate')
    .description('Bring the database to the newest schema; the service does so itself when it starts')
    .action(async (_options: object, command: Command) => {
      const out = outputOf({ command, terminal });
      await withDatabase(terminal.environment, async (_db, _config, applied) => {
        if (out.isJson) out.json({ object: 'migration', applied });
        else out.line(applied.length === 0 ? 'the schema is current' : `migrated: ${applied.join(', ')}`);
      });
    });
}

function reindexCommand(program: Command, terminal: Terminal): void {
  program
    .command('reindex')
    .description(
      'Embed everything again with the embedding model of the settings, and index the words of what another version of Forge has indexed; on a Postgres server the service may run, with the settings of before',
    )
    .action(async (_options: object, command: Command) => {
      const out = outputOf({ command, terminal });
      await withDatabase(terminal.environment, async (db, config) => {
        const { FORGE_RECORD: record, FORGE_REPLAY: replay } = config;
        const log = {
          warn: (_: object, message: string) => out.note(message),
          error: (_: object, message: string) => out.note(message),
        };
        const traffic = await openTraffic({ record, replay }, log);
        const model = createEmbeddingModel(config, traffic);
        try {
          const { embedded, indexed } = await reindex(db, model, {
            progress: (done, total) => out.note(`${done} of ${total} embedded`),
            waiting: (seconds) => out.note(`waiting ${Math.ceil(seconds)} s for the embedding provider`),
          });
          if (out.isJson) out.json({ object: 'reindex', model: model.id, embedded, indexed });
          else
            out.line(
              `${embedded} texts are embedded by ${model.id}, the words of ${indexed} files and turns indexed`,
            );
        } finally {
          await model.close();
          await traffic?.close();
        }
      });
    });
}

function roleCommand(program: Command, terminal: Terminal): void {
  const database = program.command('database').description('Who may do what on a Postgres server');

  database
    .command('role')
    .description(
      'Let a role serve, and no more: it reads and writes rows, each of them of the workspace that is worked for. Makes the role where there is none. Needs the owner of the tables: DATABASE_MIGRATION_URL, or DATABASE_URL',
    )
    .argument('<name>', 'of the role, as forge_service')
    .action(async (name: string, _options: object, command: Command) => {
      const out = outputOf({ command, terminal });
      await withDatabaseAsItIs(terminal.environment, async (db) => {
        if (db.kind === 'embedded') {
          const reason = 'The embedded database has no roles: this is for the server of DATABASE_URL.';
          throw new CliError(EXIT.usage, reason);
        }
        const role = await grantServiceRole(db, name);
        if (out.isJson) return out.json({ object: 'database_role', ...role });
        out.line(`${name} may serve. Name it in DATABASE_URL, and the owner in DATABASE_MIGRATION_URL.`);
        if (role.created) out.note(`It has no password yet: psql, then \\password ${name}`);
      });
    });
}

function cacheCommands(program: Command, terminal: Terminal): void {
  const cache = program.command('cache').description('The cache of embeddings, on the database');

  cache
    .command('stats')
    .description('How many vectors of which model are kept, and since when')
    .action(async (_options: object, command: Command) => {
      const out = outputOf({ command, terminal });
      await withDatabase(terminal.environment, async (db) => {
        const figures = await readCacheFigures(db);
        if (out.isJson) return out.json({ object: 'list', data: figures });
        if (figures.length === 0) return out.line('The cache is empty.');
        const rows = figures.map(({ model, dimensions, vectors, oldest_use }) => [
          model,
          dimensions,
          vectors,
          oldest_use.slice(0, 10),
        ]);
        out.line(table([['model', 'dimensions', 'vectors', 'unused since'], ...rows], out.width));
      });
    });

  cache
    .command('clear')
    .description('Forget all vectors of the cache; what is stored stays searchable')
    .action(async (_options: object, command: Command) => {
      const out = outputOf({ command, terminal });
      await withDatabase(terminal.environment, async (db) => {
        const removed = await clearEmbeddingCache(db);
        if (out.isJson) out.json({ object: 'deletion', removed });
        else out.line(`${removed} vectors forgotten`);
      });
    });
}
