import { join } from 'node:path';
import type { Logger } from 'pino';
import { type AppOptions, buildApp } from './app.ts';
import { createOutlines, createRuns, createServices, type Ground } from './compose.ts';
import { type Background, createBackground } from './compose-background.ts';
import { createSearching, openSearchDatabase } from './compose-searching.ts';
import type { Config } from './config.ts';
import { createCalibrator } from './copilot/token-calibration.ts';
import { forSystem } from './db/bound-database.ts';
import type { Database } from './db/database.ts';
import { endAllLeases } from './db/leases.ts';
import { newerMigrations } from './db/migrate.ts';
import { migrateAsOwner } from './db/migrate-as-owner.ts';
import { openDatabase } from './db/open.ts';
import type { Patience } from './db/patience.ts';
import { discardAbandonedImports } from './db/project-restore.ts';
import { statementEntry, watchStatements } from './db/statement-log.ts';
import { createConverter } from './documents/conversion/pool.ts';
import type { EmbeddingModel } from './embeddings/model.ts';
import { loadKnowledge } from './knowledge/load.ts';
import type { LanguageModel } from './llm/model.ts';
import { tokenFactorOf } from './llm/models.ts';
import { packageRoot } from './package-root.ts';
import { createEmbeddingModel, createModels, createRerankModel, type SharedRatesOf } from './providers.ts';
import { openTraffic } from './recording/open-traffic.ts';
import type { Traffic } from './recording/traffic.ts';
import { createAuditLog } from './services/audit.ts';
import { assertEmbeddingModel, type ProcessRole } from './services/embedding-settings.ts';
import { createFileChanges } from './services/file-changes.ts';
import { makeFirstKey, putSettingsKey } from './services/keys/admin-key.ts';
import { createAuthentication } from './services/keys/authentication.ts';
import { createTokens } from './services/keys/tokens.ts';
import { measureStatement } from './services/metrics/statements.ts';
import { createOriginals } from './services/originals/originals.ts';
import { createOutlineTelemetry } from './services/outlines/telemetry.ts';
import { createProviderHealth } from './services/providers/health.ts';
import { createSharedRates } from './services/providers/shared-rates.ts';
import type { TurnService } from './services/turns/turns.ts';
import { createSecretStore } from './services/webhooks/secrets.ts';
import { createStop } from './shutdown.ts';
import { createMetrics, type Metrics } from './telemetry/metrics.ts';
import { version } from './version.ts';
import { asSystem } from './workspace-context.ts';

const JOB_POLL_MS = 500;

/** Parts that stand in for those that the settings name. */
export interface ContainerOverrides {
  db?: Database;
  embeddingModel?: EmbeddingModel;
  answerModel?: LanguageModel;
  smallModel?: LanguageModel;
  jobPollMs?: number;
  /** Other than the service: a reader takes none of the queue's jobs. */
  role?: ProcessRole;
  /** A key that this process alone takes, and asks for: its port is for who has started it. */
  ownKey?: string;
}

/** Started together with its database, the service is often there first. */
const START_PATIENCE_MS = 30_000;

const startPatience = (log: Logger): Patience => ({
  forMs: START_PATIENCE_MS,
  onPause: ({ message, code }) => log.warn({ reason: message, code }, 'waiting for the database'),
});

/** PGlite writes with fsync off: the operating system has what was committed, the disk may not. */
const EMBEDDED_NOTICE =
  'the embedded database does not wait for the disk: what is stored outlives this process, however it ends, but not a power failure or a crash of the machine, and one process at a time can use it. Make backups with `forge backup`, or set DATABASE_URL to a Postgres server';

/** The database, brought to the newest schema, and the model that its vectors are from. */
async function openStores(
  config: Config,
  log: Logger,
  overrides: ContainerOverrides,
  traffic: Traffic | undefined,
  metrics: Metrics,
) {
  const opened =
    overrides.db ??
    (await openDatabase({
      url: config.DATABASE_URL,
      dataDir: config.DATA_DIR,
      poolSize: config.DATABASE_POOL_SIZE,
      ...(config.DATABASE_PREPARE !== undefined && { prepare: config.DATABASE_PREPARE }),
      onError: (err) => log.error({ err }, 'a database connection failed'),
    }));
  const isTraced = log.isLevelEnabled('trace');
  const db = watchStatements(opened, (statement) => {
    measureStatement(metrics.database, statement);
    if (isTraced) log.trace(statementEntry(statement), 'statement');
  });
  const system = forSystem(db);
  // the embedded database has one process
  const sharedOf: SharedRatesOf = (provider, model) =>
    db.kind === 'server' ? createSharedRates({ db: system, log }, `${provider} ${model}`) : undefined;
  const opening: { close(): Promise<void> }[] = [db];
  try {
    const embeddingModel = overrides.embeddingModel ?? createEmbeddingModel(config, traffic, sharedOf);
    opening.push(embeddingModel);
    const rerankModel = createRerankModel(config, traffic);
    if (rerankModel) opening.push(rerankModel);
    const applied = await migrateAsOwner(db, config.DATABASE_MIGRATION_URL, startPatience(log));
    if (applied.length > 0) log.info({ applied }, 'migrated');
    const newer = await newerMigrations(system);
    if (newer.length > 0) log.warn({ newer }, 'the database was migrated by a newer release');
    await assertEmbeddingModel(system, embeddingModel, overrides.role);
    await embeddingModel.tryOut?.();
    await rerankModel?.tryOut?.();
    // the folder of the embedded database is locked: there is no other process
    if (db.kind === 'embedded' && !overrides.db) {
      if (overrides.role === undefined) log.warn(EMBEDDED_NOTICE);
      await endAllLeases(system);
      await discardAbandonedImports(system, 0);
    }
    const searchDb = await openSearchDatabase(config, { db, log, metrics });
    return { db, system, searchDb, embeddingModel, rerankModel, sharedOf };
  } catch (error) {
    await Promise.allSettled(opening.map((part) => part.close()));
    throw error;
  }
}

const converterOf = (config: Config): Ground['converter'] =>
  createConverter({
    processes: config.CONVERSION_PROCESSES,
    heapMb: config.CONVERSION_HEAP_MB,
    timeoutMs: config.CONVERSION_TIMEOUT_SECONDS * 1000,
  });

/**
 * Puts the parts together: the one place that knows them all. The database is migrated and the job worker runs when it
 * returns; `close` stops what came in and ends everything in the reverse order.
 */
export async function createContainer(config: Config, log: Logger, overrides: ContainerOverrides = {}) {
  const knowledge = await loadKnowledge(join(packageRoot, 'knowledge'));
  const { FORGE_RECORD: record, FORGE_REPLAY: replay } = config;
  const traffic = await openTraffic({ record, replay }, log);
  const metrics = createMetrics();
  const stores = await openStores(config, log, overrides, traffic, metrics);
  const { db, system, searchDb, sharedOf } = stores;
  const firstKey = overrides.role === undefined ? await prepareKeys(config, system) : null;
  const health = createProviderHealth(log);
  const watchers = { health, metrics };
  const searching = createSearching(config, log, { ...stores, watchers });
  const stop = createStop({
    delayMs: config.SHUTDOWN_DELAY_SECONDS * 1000,
    totalMs: config.SHUTDOWN_SECONDS * 1000,
    log,
  });
  const fileChanges = createFileChanges({ db: system, log });
  const ground: Ground = {
    config,
    log,
    db,
    system,
    searchDb,
    originals: createOriginals(config.ENCRYPTION_KEYS),
    webhookSecrets: createSecretStore(config.ENCRYPTION_KEYS),
    ...searching,
    models: createModels(
      config,
      { answer: overrides.answerModel, small: overrides.smallModel },
      { traffic, watchers, sharedOf },
    ),
    calibrator: createCalibrator(tokenFactorOf),
    knowledge,
    converter: converterOf(config),
    telemetry: createOutlineTelemetry(),
    ...createAccess(config, log, system, overrides),
    health,
    metrics,
    draining: stop.draining,
    stopping: stop.stopping,
    fileChanges,
    onJob: (inMs) => background.worker.nudge(inMs),
    onDelivery: () => background.dispatcher.nudge(),
    onJobsRemoved: () => background.worker.checkLeases(),
  };
  const outlines = createOutlines(ground);
  const runs = createRuns(ground, outlines);
  const { turns } = runs.conversation;
  const background = createBackground(ground, turns, overrides.jobPollMs ?? JOB_POLL_MS);
  const app = await buildApp(createServices(ground, outlines, runs), appOptions(ground));
  const warmUp = overrides.role === 'reader' ? Promise.resolve() : begin(ground, background, turns);

  const phases = [
    { name: 'turns', weight: 4, run: runs.stop },
    { name: 'jobs', weight: 2, run: background.stop },
    { name: 'requests', weight: 3, run: () => app.close() },
    { name: 'parts', weight: 1, run: () => closeParts(ground, { background, traffic, warmUp }) },
  ];

  return {
    app,
    db,
    databaseKind: db.kind,
    /** The key that was made since there was none; whoever starts the service is to be told, this once. */
    firstKey,
    embeddingModel: ground.embeddingModel,
    answerModel: ground.models.answer,
    /** Stores the events of turns and runs that are still in memory. */
    flushEvents: runs.flush,
    /** Is not ready from now on and serves as before, for `SHUTDOWN_DELAY_SECONDS`; `close` comes after it. */
    drain: stop.drain,
    /** Refuses what is new, lets what runs end or breaks it off, then ends the parts; a second call waits for the first. */
    close: (): Promise<void> => stop.close(phases),
  };
}

/** Starts what works by itself. Resolves when the probes have their vectors, or could not be given any. */
function begin(
  { converter, stopping, log }: Ground,
  background: Background,
  turns: TurnService,
): Promise<void> {
  converter.warmUp();
  background.start();
  return asSystem(() => turns.warmUp(stopping)).catch((err: unknown) => {
    if (!stopping.aborted) log.warn({ err }, 'the probes could not be embedded ahead');
  });
}

/** Who calls, and what is noted of it. */
const createAccess = (config: Config, log: Logger, db: Database, { ownKey }: ContainerOverrides) => ({
  authentication: createAuthentication({
    db,
    log,
    asksAlways: config.asksForKeys,
    tokens: config.oidc && createTokens({ settings: config.oidc, db, log }),
    ...(ownKey !== undefined && { ownKey }),
  }),
  audit: createAuditLog({ db, log }),
});

/** Sees to it that there is a key where one is asked for: the one of the settings, or a new one, which it returns. */
async function prepareKeys(config: Config, db: Database): Promise<string | null> {
  if (config.FORGE_ADMIN_KEY !== undefined) await putSettingsKey(db, config.FORGE_ADMIN_KEY);
  return config.asksForKeys ? makeFirstKey(db) : null;
}

const appOptions = ({ config, draining, stopping, log }: Ground): AppOptions => ({
  version,
  maxUploadBytes: config.MAX_UPLOAD_BYTES,
  maxFilesPerUpload: config.MAX_FILES_PER_UPLOAD,
  maxImportBytes: config.MAX_IMPORT_BYTES,
  maxEventStreams: config.MAX_EVENT_STREAMS,
  mcp: config.MCP === 'on',
  inspect: config.INSPECT === 'on',
  // the name that it listens on is one that it goes by
  callers: { hosts: [...config.ALLOWED_HOSTS, config.HOST], origins: config.CORS_ORIGINS ?? null },
  bodies: {
    totalMs: config.BODY_TIMEOUT_SECONDS * 1000,
    bytesPerSecond: config.MIN_BODY_BYTES_PER_SECOND,
  },
  connections: {
    all: config.MAX_CONNECTIONS,
    perAddress: config.MAX_CONNECTIONS_PER_ADDRESS,
    proxies: config.TRUST_PROXY,
  },
  load: { expensiveRequests: config.MAX_EXPENSIVE_REQUESTS, delayMs: config.MAX_EVENT_LOOP_DELAY_MS },
  draining,
  stopping,
  logger: log,
});

async function closeParts(
  { converter, embeddingModel, rerankModel, queryUsage, authentication, audit, searchDb, db }: Ground,
  {
    background,
    traffic,
    warmUp,
  }: { background: Background; traffic: Traffic | undefined; warmUp: Promise<void> },
): Promise<void> {
  await Promise.all([background.settle(), warmUp]);
  await Promise.all([queryUsage.flush(), authentication.settled(), audit.flush()]);
  await Promise.allSettled([
    converter.close(),
    embeddingModel.close(),
    rerankModel?.close(),
    traffic?.close(),
  ]);
  await searchDb.close();
  await db.close();
}
