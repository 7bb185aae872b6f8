import { totalmem } from 'node:os';
import { z } from 'zod';
import { check, parameterName } from './checking/check.ts';
import { contextProblems, contextSettings } from './settings/contexts.ts';
import { edgeSettings } from './settings/edge.ts';
import { embeddingProblems, embeddingSettings, resolveEmbedding } from './settings/embedding.ts';
import { encryptionSettings } from './settings/encryption.ts';
import {
  languageModelProblems,
  languageModelSettings,
  resolveLanguageModel,
} from './settings/language-model.ts';
import { limitSettings, resolveLimits } from './settings/limits.ts';
import { oidcProblems, oidcSettings, resolveOidc } from './settings/oidc.ts';
import { rerankingProblems, rerankingSettings, resolveReranking } from './settings/reranking.ts';
import { retentionSettings } from './settings/retention.ts';
import { integer, optional, postgresUrl, withDefault } from './settings/schemas.ts';
import { resolveTracing, tracingSettings } from './settings/tracing.ts';
import { webhookSettings } from './settings/webhooks.ts';
import { nearestName } from './text/nearest-name.ts';

/** A second conversion spares a note the wait behind a large file; at worst each needs well over a gigabyte. */
function roomForTwo(): boolean {
  const limit = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  return Math.min(totalmem(), limit) >= 4 * 2 ** 30;
}

const settingsSchema = z.object({
  HOST: withDefault(z.string(), '127.0.0.1'),
  PORT: withDefault(integer(0, 65_535), 3000),
  LOG_LEVEL: withDefault(z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']), 'info'),
  ALLOW_OPEN: withDefault(z.stringbool(), 'false'),
  FORGE_ADMIN_KEY: optional(
    z.string().regex(/^[\x21-\x7e]{32,512}$/, 'must be 32 to 512 visible ASCII characters, without spaces'),
  ),
  ...oidcSettings,
  ...edgeSettings,
  ...limitSettings,
  ...encryptionSettings,
  ...retentionSettings,
  ...tracingSettings,
  ...webhookSettings,

  DATABASE_URL: optional(postgresUrl),
  DATABASE_MIGRATION_URL: optional(postgresUrl),
  DATABASE_READ_URL: optional(postgresUrl),
  DATABASE_POOL_SIZE: withDefault(integer(1, 200), 10),
  VECTOR_INDEX_FROM_LEAVES: withDefault(integer(0, 1_000_000_000), 20_000),
  DATABASE_PREPARE: optional(z.stringbool()),
  DATA_DIR: withDefault(z.string(), './data'),

  ...languageModelSettings,
  ...embeddingSettings,
  ...rerankingSettings,
  ...contextSettings,

  FORGE_RECORD: optional(z.string()),
  FORGE_REPLAY: optional(z.string()),

  LEAF_CHUNK_MIN_TOKENS: withDefault(integer(1, 2_000), 100),
  LEAF_CHUNK_MAX_TOKENS: withDefault(integer(50, 8_000), 500),
  PARENT_CHUNK_MAX_TOKENS: withDefault(integer(100, 16_000), 2_000),
  MAX_DOCUMENT_RESULTS: withDefault(integer(1, 20), 4),
  MAX_CONVERSATION_RESULTS: withDefault(integer(0, 20), 3),
  ALWAYS_ON_TURN_WINDOW: withDefault(integer(0, 20), 3),
  TURN_TOKEN_BUDGET: withDefault(integer(2_000, 200_000), 12_000),
  FILLER_TOKEN_BUDGET: withDefault(integer(2_000, 200_000), 5_000),
  MAX_TOOL_ROUNDS: withDefault(integer(1, 16), 4),
  RESEARCH_MAX_STEPS: withDefault(integer(1, 30), 7),
  RESEARCH_TOKEN_BUDGET: withDefault(integer(4_000, 500_000), 40_000),
  OUTLINE_TOOLS: withDefault(z.enum(['on', 'off']), 'on'),
  MCP: withDefault(z.enum(['on', 'off']), 'on'),
  INSPECT: withDefault(z.enum(['on', 'off']), 'on'),
  TURN_LEASE_SECONDS: withDefault(integer(5, 3_600), 60),

  MAX_UPLOAD_BYTES: withDefault(integer(1, 1_073_741_824), 25 * 1024 * 1024),
  MAX_FILES_PER_UPLOAD: withDefault(integer(1, 1_000), 20),
  MAX_FILES_PER_PROJECT: withDefault(integer(1, 100_000), 1_000),
  MAX_IMPORT_BYTES: withDefault(integer(1_024, 68_719_476_736), 1024 * 1024 * 1024),
  EDIT_DEBOUNCE_MS: withDefault(integer(0, 60_000), 750),
  EDIT_INTERVAL_MS: withDefault(integer(0, 600_000), 5_000),
  CONVERSION_PROCESSES: withDefault(integer(1, 16), roomForTwo() ? 2 : 1),
  CONVERSION_TIMEOUT_SECONDS: withDefault(integer(1, 600), 30),
  CONVERSION_HEAP_MB: withDefault(integer(128, 8_192), 768),
  MAX_EVENT_STREAMS: withDefault(integer(1, 100_000), 4_000),
  JOB_CONCURRENCY: withDefault(integer(1, 32), 2),
  JOB_PROJECT_CONCURRENCY: withDefault(integer(1, 1_000), 8),
  JOB_LEASE_SECONDS: withDefault(integer(5, 3_600), 60),
  SHUTDOWN_DELAY_SECONDS: withDefault(integer(0, 300), 0),
  SHUTDOWN_SECONDS: withDefault(integer(1, 300), 20),
});

type Settings = z.infer<typeof settingsSchema>;
type Resolved = ReturnType<typeof resolve>;

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);

const resolve = (settings: Settings) => ({
  ...resolveEmbedding(settings),
  ...resolveReranking(settings),
  ...resolveLanguageModel(settings),
  ...resolveLimits(settings),
  ...resolveOidc(settings),
  ...resolveTracing(settings),
  /**
   * Whether callers need a key although there may be none yet: other machines can reach the service, or an identity provider
   * says who may.
   */
  asksForKeys: settings.OIDC_ISSUER !== undefined || (!LOOPBACK.has(settings.HOST) && !settings.ALLOW_OPEN),
});

/** All settings, validated, with what follows from them; docs/settings.md lists what each does. */
export type Config = Readonly<Omit<Settings, keyof Resolved> & Resolved>;

/** A setting that cannot be used; the message names every one of them. */
export class ConfigError extends Error {
  constructor(problems: string[]) {
    super(`these settings cannot be used:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

const REPLAYED = 'replayed';

function crossChecks(settings: Settings, resolved: Resolved): string[] {
  const problems = [
    ...embeddingProblems(settings, resolved),
    ...rerankingProblems(settings),
    ...languageModelProblems(settings, resolved),
    ...contextProblems(settings, resolved),
    ...oidcProblems(settings),
  ];
  if (settings.LEAF_CHUNK_MIN_TOKENS > settings.LEAF_CHUNK_MAX_TOKENS) {
    problems.push('LEAF_CHUNK_MIN_TOKENS: must not be over LEAF_CHUNK_MAX_TOKENS');
  }
  if (settings.LEAF_CHUNK_MAX_TOKENS > settings.PARENT_CHUNK_MAX_TOKENS) {
    problems.push('LEAF_CHUNK_MAX_TOKENS: must not be over PARENT_CHUNK_MAX_TOKENS');
  }
  if (settings.DATABASE_MIGRATION_URL !== undefined && settings.DATABASE_URL === undefined) {
    problems.push(
      'DATABASE_MIGRATION_URL: is of the same database as DATABASE_URL, which has to be set, too',
    );
  }
  if (settings.DATABASE_READ_URL !== undefined && settings.DATABASE_URL === undefined) {
    problems.push(
      'DATABASE_READ_URL: names standbys of the server of DATABASE_URL, which has to be set, too',
    );
  }
  if (settings.FORGE_RECORD !== undefined && settings.FORGE_REPLAY !== undefined) {
    problems.push(
      'FORGE_REPLAY: cannot be set together with FORGE_RECORD: what is replayed is recorded already',
    );
  }
  return problems;
}

/** Recorded answers stand for the providers: the service runs as with their keys, which nobody asks for. */
function withReplayedKeys(settings: Settings): Settings {
  if (settings.FORGE_REPLAY === undefined) return settings;
  const { ANTHROPIC_API_KEY = REPLAYED, VOYAGE_API_KEY = REPLAYED, RERANK_API_KEY = REPLAYED } = settings;
  return { ...settings, ANTHROPIC_API_KEY, VOYAGE_API_KEY, RERANK_API_KEY };
}

/** What may hold a secret is not shown. */
const SECRET = /KEY|URL|ISSUER|ENDPOINT/;
const DEFAULTS: Record<string, unknown> = settingsSchema.parse({});

/** What is wrong with a setting, what it was, and what it would be without. */
function wrongSetting(name: string, detail: string, value: string | undefined): string {
  const fallback = DEFAULTS[name];
  const isShown = ['string', 'number', 'boolean'].includes(typeof fallback) && fallback !== '';
  const more = [
    ...(SECRET.test(name) ? [] : [`it is ${JSON.stringify(value)}`]),
    ...(isShown ? [`the default is ${fallback}`] : []),
  ].join(', ');
  return `${name}: ${detail}${more === '' ? '' : ` (${more})`}`;
}

/** Names of settings that may be slips of longer ones: short ones are near to too much. */
const SHORTEST_SLIP = 7;
const MOST_SLIPS = 2;

/** Variables that are no settings, and were probably meant as one: `MAX_UPLOAD_BYTE`. */
export function misspelledSettings(environment: Record<string, string | undefined>): string[] {
  const known = Object.keys(settingsSchema.shape);
  const likely = known.filter((name) => name.includes('_') && name.length > SHORTEST_SLIP);
  return Object.keys(environment).flatMap((name) => {
    const nearest = known.includes(name) ? null : nearestName(name, likely, MOST_SLIPS);
    return nearest === null ? [] : [`${name} is no setting; did you mean ${nearest}?`];
  });
}

/**
 * Reads the settings once, at the start; nothing else reads the environment.
 *
 * @throws ConfigError naming every setting that cannot be used
 */
export function readConfig(environment: Record<string, string | undefined> = process.env): Config {
  const checked = check(settingsSchema, environment, parameterName);
  if (!checked.ok) {
    throw new ConfigError(
      checked.errors.map(({ pointer, detail }) => wrongSetting(pointer, detail, environment[pointer])),
    );
  }
  const settings = withReplayedKeys(checked.value);
  const resolved = resolve(settings);
  const problems = crossChecks(settings, resolved);
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.freeze({ ...settings, ...resolved });
}
