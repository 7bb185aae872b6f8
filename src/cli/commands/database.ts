import type { Command } from 'commander';
import { clearEmbeddingCache, readCacheFigures } from '../../db/embedding-cache.ts';
import { openUnlimited } from '../../db/open.ts';
import { grantServiceRole } from '../../db/service-role.ts';
import { createEmbeddingModel } from '../../providers.ts';
import { openTraffic } from '../../recording/open-traffic.ts';
import { reindex } from '../../services/reindex.ts';
import { keepVectorIndexes } from '../../services/vector-indexes.ts';
import { outputOf, type Terminal } from '../context.ts';
import { withDatabase, withDatabaseAsItIs } from '../database.ts';
import { CliError, EXIT } from '../exit.ts';
import { table } from '../output.ts';

/** `forge migrate`, `forge reindex`, `forge cache`, `forge database`: on the database itself. */
export function databaseCommands(program: Command, terminal: Terminal): void {
  migrateCommand(program, terminal);
  reindexCommand(program, terminal);
  cacheCommands(program, terminal);
  const database = program.command('database').description('Roles and indexes of a Postgres server');
  roleCommand(database, terminal);
  indexesCommand(database, terminal);
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
            unindexed: ({ projectId, fileId, turnNumber }, error) =>
              out.note(
                `project "${projectId}": the words of ${fileId === undefined ? `turn ${turnNumber}` : `file ${fileId}`} could not be indexed: ${String(error)}`,
              ),
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

const onServerOnly = (reason: string): CliError =>
  new CliError(EXIT.usage, `${reason}: this is for the server of DATABASE_URL.`);

function indexesCommand(database: Command, terminal: Terminal): void {
  database
    .command('indexes')
    .description(
      'Build the approximate indexes of large projects whose vectors have none, and drop those that are not needed any more, while the service runs; it does so itself where it owns the tables',
    )
    .option('--dry-run', 'only say what would be done')
    .action(async ({ dryRun = false }: { dryRun?: boolean }, command: Command) => {
      const out = outputOf({ command, terminal });
      await withDatabaseAsItIs(terminal.environment, async (db, config) => {
        const url = config.DATABASE_MIGRATION_URL ?? config.DATABASE_URL;
        if (url === undefined)
          throw onServerOnly('The embedded database compares all vectors, and has no such indexes');
        const model = createEmbeddingModel(config);
        await model.close();
        const { VECTOR_INDEX_FROM_LEAVES: fromLeaves } = config;
        const deps = { db, open: () => openUnlimited(url), fromLeaves, dimensions: model.dimensions };
        const { built, dropped, left } = await keepVectorIndexes(deps, { isDry: dryRun });
        if (left.length > 0) {
          throw new CliError(
            EXIT.failed,
            'The role of this address does not own the tables: name their owner in DATABASE_MIGRATION_URL.',
          );
        }
        if (out.isJson) return out.json({ object: 'vector_indexes', dry_run: dryRun, built, dropped });
        const [build, drop] = dryRun ? ['would be built', 'would be dropped'] : ['built', 'dropped'];
        for (const name of built) out.line(`${name}: ${build}`);
        for (const name of dropped) out.line(`${name}: ${drop}`);
        if (built.length + dropped.length === 0) out.line('All large projects have their indexes.');
      });
    });
}

function roleCommand(database: Command, terminal: Terminal): void {
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
          throw onServerOnly('The embedded database has no roles');
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
