#!/usr/bin/env node
import { readConfig } from './config.ts';
import { migrate } from './db/migrate.ts';
import { openDatabase } from './db/open.ts';
import { isOpenApiCurrent, writeOpenApi } from './openapi-document.ts';
import { createEmbeddingModel } from './providers.ts';
import { openTraffic } from './recording/open-traffic.ts';
import { reindex } from './services/reindex.ts';

const USAGE = `usage: forge <command>

  serve              start the service
  migrate            bring the database to the newest schema
  reindex            embed everything again with the embedding model of the settings, and index the words of what another
                     version of Forge has indexed (on a Postgres server the service may run, with the settings of
                     before; stop it where the database is the embedded one)
  openapi [--check]  write openapi/openapi.json, or check that it is current

Settings come from the environment; the README lists them.`;

const say = (text: string) => process.stdout.write(`${text}\n`);

async function withDatabase(
  work: (db: Awaited<ReturnType<typeof openDatabase>>) => Promise<void>,
): Promise<void> {
  const config = readConfig();
  const db = await openDatabase({
    url: config.DATABASE_URL,
    dataDir: config.DATA_DIR,
    poolSize: 2,
    prepare: config.DATABASE_PREPARE,
  });
  try {
    const applied = await migrate(db);
    say(applied.length === 0 ? 'the schema is current' : `migrated: ${applied.join(', ')}`);
    await work(db);
  } finally {
    await db.close();
  }
}

const commands: Record<string, (args: string[]) => Promise<unknown>> = {
  serve: () => import('./main.ts'),
  migrate: () => withDatabase(async () => undefined),
  reindex: () =>
    withDatabase(async (db) => {
      const config = readConfig();
      const { FORGE_RECORD: record, FORGE_REPLAY: replay } = config;
      const log = { warn: (_: object, message: string) => say(message), error: console.error };
      const traffic = await openTraffic({ record, replay }, log);
      const model = createEmbeddingModel(config, traffic);
      try {
        const { embedded, indexed } = await reindex(db, model, {
          progress: (done, total) => say(`${done} of ${total} embedded`),
          waiting: (seconds) => say(`waiting ${Math.ceil(seconds)} s for the embedding provider`),
        });
        say(`${embedded} texts are embedded by ${model.id}, the words of ${indexed} files and turns indexed`);
      } finally {
        await model.close();
        await traffic?.close();
      }
    }),
  async openapi(args) {
    if (!args.includes('--check')) return say(`wrote ${await writeOpenApi()}`);
    if (await isOpenApiCurrent()) return say('openapi/openapi.json is current');
    throw new Error(
      'openapi/openapi.json is not what the routes declare: run `npm run openapi` and commit it',
    );
  },
};

const [name = '', ...args] = process.argv.slice(2);
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (command) {
  command(args).catch((error: unknown) => {
    process.stderr.write(`forge: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  });
} else {
  say(USAGE);
  process.exitCode = name === '' || name === 'help' || name === '--help' ? 0 : 2;
}
