import { totalmem } from 'node:os';
import { z } from 'zod';
import { EFFORTS } from './llm/models.ts';

/** An empty variable counts as unset: `.env` files and compose files cannot leave one out otherwise. */
const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional());
const withDefault = <T extends z.ZodType>(schema: T, fallback: z.input<T>) =>
  z.preprocess((value) => (value === '' || value === undefined ? fallback : value), schema);

const integer = (minimum: number, maximum: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value),
    z.number({ error: 'must be a whole number' }).int().min(minimum).max(maximum),
  );

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

  DATABASE_URL: optional(z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// URL' })),
  DATABASE_POOL_SIZE: withDefault(integer(1, 200), 10),
  DATABASE_PREPARE: withDefault(z.stringbool(), 'true'),
  DATA_DIR: withDefault(z.string(), './data'),

  ANTHROPIC_API_KEY: optional(z.string()),
  ANTHROPIC_BASE_URL: optional(z.url()),
  MODEL_NAME: withDefault(z.string(), 'claude-sonnet-5-5'),
  ROUTER_MODEL: withDefault(z.string(), 'claude-haiku-5-5'),
  TURN_SUMMARY_MODEL: withDefault(z.string(), 'claude-haiku-5-5'),
  ANSWER_EFFORT: withDefault(z.enum(EFFORTS), 'medium'),
  ROUTER_EFFORT: withDefault(z.enum(EFFORTS), 'low'),
  SUMMARY_EFFORT: withDefault(z.enum(EFFORTS), 'low'),
  ROUTER_TIMEOUT_SECONDS: withDefault(integer(1, 600), 20),
  MODEL_TIMEOUT_SECONDS: withDefault(integer(1, 3_600), 120),
  MAX_OUTPUT_TOKENS: withDefault(integer(256, 128_000), 8_192),

  FORGE_RECORD: optional(z.string()),
  FORGE_REPLAY: optional(z.string()),

  EMBEDDING_PROVIDER: optional(z.enum(['voyage', 'local'])),
  VOYAGE_API_KEY: optional(z.string()),
  VOYAGE_BASE_URL: optional(z.url()),
  EMBEDDING_MODEL: withDefault(z.string(), 'voyage-3.5-lite'),
  EMBEDDING_DIMENSIONS: withDefault(
    integer(256, 1_024).refine((value) => [256, 512, 1024].includes(value), 'must be 256, 512 or 1024'),
    512,
  ),
  EMBEDDING_WORKERS: withDefault(integer(1, 16), 2),
  EMBEDDING_CACHE_DAYS: withDefault(integer(1, 3_650), 90),

  LEAF_CHUNK_MIN_TOKENS: withDefault(integer(1, 2_000), 100),
  LEAF_CHUNK_MAX_TOKENS: withDefault(integer(50, 8_000), 500),
  PARENT_CHUNK_MAX_TOKENS: withDefault(integer(100, 16_000), 2_000),
  MAX_DOCUMENT_RESULTS: withDefault(integer(1, 20), 4),
  MAX_CONVERSATION_RESULTS: withDefault(integer(0, 20), 3),
  ALWAYS_ON_TURN_WINDOW: withDefault(integer(0, 20), 3),
  TURN_TOKEN_BUDGET: withDefault(integer(2_000, 200_000), 12_000),
  FILLER_TOKEN_BUDGET: withDefault(integer(2_000, 200_000), 5_000),
  MAX_TOOL_ROUNDS: withDefault(integer(1, 16), 4),
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
  JOB_CONCURRENCY: withDefault(integer(1, 32), 2),
  JOB_LEASE_SECONDS: withDefault(integer(5, 3_600), 60),
  SHUTDOWN_SECONDS: withDefault(integer(1, 300), 20),
});

/** All settings, validated; README lists what each does. */
export type Config = Readonly<z.infer<typeof settingsSchema>> & {
  /** `EMBEDDING_PROVIDER`, or voyage where its key is there, else local. */
  readonly embeddingProvider: 'voyage' | 'local';
};

/** A setting that cannot be used; the message names every one of them. */
export class ConfigError extends Error {
  constructor(problems: string[]) {
    super(`these settings cannot be used:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

const REPLAYED = 'replayed';
const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);

function crossChecks(settings: z.infer<typeof settingsSchema>, embeddingProvider: string): string[] {
  const problems: string[] = [];
  if (settings.LEAF_CHUNK_MIN_TOKENS > settings.LEAF_CHUNK_MAX_TOKENS) {
    problems.push('LEAF_CHUNK_MIN_TOKENS: must not be over LEAF_CHUNK_MAX_TOKENS');
  }
  if (settings.LEAF_CHUNK_MAX_TOKENS > settings.PARENT_CHUNK_MAX_TOKENS) {
    problems.push('LEAF_CHUNK_MAX_TOKENS: must not be over PARENT_CHUNK_MAX_TOKENS');
  }
  if (embeddingProvider === 'voyage' && settings.VOYAGE_API_KEY === undefined) {
    problems.push('VOYAGE_API_KEY: is needed when EMBEDDING_PROVIDER is voyage');
  }
  if (embeddingProvider === 'local' && settings.EMBEDDING_DIMENSIONS !== 512) {
    problems.push('EMBEDDING_DIMENSIONS: the local model has 512 dimensions');
  }
  if (settings.FORGE_RECORD !== undefined && settings.FORGE_REPLAY !== undefined) {
    problems.push(
      'FORGE_REPLAY: cannot be set together with FORGE_RECORD: what is replayed is recorded already',
    );
  }
  if (!LOOPBACK.has(settings.HOST) && !settings.ALLOW_OPEN) {
    problems.push(
      `HOST: ${settings.HOST} can be reached from other machines and the service asks for no key; ` +
        'listen on 127.0.0.1, or set ALLOW_OPEN=true where something in front of it controls access',
    );
  }
  return problems;
}

/** Recorded answers stand for the providers: the service runs as with their keys, which nobody asks for. */
function withReplayedKeys(settings: z.infer<typeof settingsSchema>): z.infer<typeof settingsSchema> {
  if (settings.FORGE_REPLAY === undefined) return settings;
  const { ANTHROPIC_API_KEY = REPLAYED, VOYAGE_API_KEY = REPLAYED } = settings;
  return { ...settings, ANTHROPIC_API_KEY, VOYAGE_API_KEY };
}

/**
 * Reads the settings once, at the start; nothing else reads the environment.
 *
 * @throws ConfigError naming every setting that cannot be used
 */
export function readConfig(environment: Record<string, string | undefined> = process.env): Config {
  const result = settingsSchema.safeParse(environment);
  if (!result.success) {
    throw new ConfigError(result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`));
  }
  const settings = withReplayedKeys(result.data);
  const embeddingProvider =
    settings.EMBEDDING_PROVIDER ?? (settings.VOYAGE_API_KEY === undefined ? 'local' : 'voyage');
  const problems = crossChecks(settings, embeddingProvider);
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.freeze({ ...settings, embeddingProvider });
}
