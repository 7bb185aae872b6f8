import { describe, expect, it } from 'vitest';
import { ConfigError, misspelledSettings, readConfig } from '../src/config.ts';
import { openAiAddress } from '../src/settings/openai.ts';

const problemsOf = (environment: Record<string, string>): string => {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return '';
};

describe('the settings', () => {
  it('need nothing: everything has a default', () => {
    const config = readConfig({});
    expect(config.DATABASE_URL).toBeUndefined();
    expect(config).toMatchObject({
      HOST: '127.0.0.1',
      PORT: 3000,
      embeddingProvider: 'local',
      EMBEDDING_DIMENSIONS: 512,
      LEAF_CHUNK_MIN_TOKENS: 100,
      LEAF_CHUNK_MAX_TOKENS: 500,
      PARENT_CHUNK_MAX_TOKENS: 2000,
      ALWAYS_ON_TURN_WINDOW: 3,
      MODEL_NAME: 'claude-sonnet-5-5',
      ROUTER_MODEL: 'claude-haiku-5-5',
      TURN_SUMMARY_MODEL: 'claude-haiku-5-5',
      ANSWER_EFFORT: 'medium',
      ROUTER_EFFORT: 'low',
      SUMMARY_EFFORT: 'low',
    });
  });

  it('take an empty variable as unset', () => {
    const config = readConfig({ PORT: '', DATABASE_URL: '', VOYAGE_API_KEY: '', ALLOW_OPEN: '' });
    expect(config.DATABASE_URL).toBeUndefined();
    expect(config).toMatchObject({ PORT: 3000, embeddingProvider: 'local', ALLOW_OPEN: false });
  });

  it('choose voyage where its key is, unless told otherwise', () => {
    expect(readConfig({ VOYAGE_API_KEY: 'k' }).embeddingProvider).toBe('voyage');
    expect(readConfig({ VOYAGE_API_KEY: 'k', EMBEDDING_PROVIDER: 'local' }).embeddingProvider).toBe('local');
  });

  it('need no keys where recorded answers stand for the providers, and keep to the local model where told to', () => {
    const config = readConfig({ FORGE_REPLAY: 'calls' });
    expect(config.embeddingProvider).toBe('voyage');
    expect(config.ANTHROPIC_API_KEY).toBeDefined();
    const local = readConfig({ FORGE_REPLAY: 'calls', EMBEDDING_PROVIDER: 'local' });
    expect(local.embeddingProvider).toBe('local');
    expect(readConfig({ FORGE_RECORD: 'calls' }).ANTHROPIC_API_KEY).toBeUndefined();
  });

  it('ask for keys, or tokens, wherever there is an identity provider', () => {
    const provider = { OIDC_ISSUER: 'https://login.example/realms/a', OIDC_AUDIENCE: 'forge' };
    const config = readConfig({ ...provider, ALLOW_OPEN: 'true', OIDC_SCOPE_PREFIX: 'none' });
    expect(config).toMatchObject({ asksForKeys: true, oidc: { audience: 'forge', scopePrefix: '' } });
    expect(readConfig({})).toMatchObject({ asksForKeys: false, oidc: null });
  });

  it('read "false" as false', () => {
    expect(readConfig({ ALLOW_OPEN: 'false' }).ALLOW_OPEN).toBe(false);
  });

  it.each([
    [{ PORT: '99999' }, 'PORT'],
    [{ PORT: 'http' }, 'PORT'],
    [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL'],
    [{ EMBEDDING_DIMENSIONS: '500' }, 'EMBEDDING_DIMENSIONS'],
    [{ EMBEDDING_DIMENSIONS: '1024' }, 'EMBEDDING_DIMENSIONS'],
    [{ EMBEDDING_PROVIDER: 'voyage' }, 'VOYAGE_API_KEY'],
    [{ LEAF_CHUNK_MIN_TOKENS: '600' }, 'LEAF_CHUNK_MIN_TOKENS'],
    [{ LEAF_CHUNK_MAX_TOKENS: '4000' }, 'LEAF_CHUNK_MAX_TOKENS'],
    [{ DATABASE_READ_URL: 'postgres://db2/forge' }, 'DATABASE_READ_URL'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL'],
    [{ ROUTER_EFFORT: 'none' }, 'ROUTER_EFFORT'],
    [{ FORGE_RECORD: 'a', FORGE_REPLAY: 'b' }, 'FORGE_REPLAY'],
    [{ FORGE_ADMIN_KEY: 'too-short' }, 'FORGE_ADMIN_KEY'],
    [{ OIDC_ISSUER: 'https://login.example' }, 'OIDC_AUDIENCE'],
    [{ OIDC_ISSUER: 'http://login.example', OIDC_AUDIENCE: 'forge' }, 'OIDC_ISSUER'],
    [{ OIDC_ISSUER: 'https://login.example/?a', OIDC_AUDIENCE: 'forge' }, 'OIDC_ISSUER'],
    [{ ALLOWED_HOSTS: 'forge.example:3000' }, 'ALLOWED_HOSTS'],
    [{ CORS_ORIGINS: 'app.example' }, 'CORS_ORIGINS'],
    [{ CORS_ORIGINS: 'https://app.example/' }, 'CORS_ORIGINS'],
    [{ CORS_ORIGINS: 'https://app.example:443' }, 'CORS_ORIGINS'],
  ])('refuse %j and name the setting', (environment, name) => {
    expect(problemsOf(environment)).toContain(`${name}:`);
  });

  it.each([
    [{ PORT: '99999' }, 'PORT: must be a whole number from 0 to 65535 (it is "99999", the default is 3000)'],
    [{ PORT: '3.5' }, 'PORT: must be a whole number from 0 to 65535 (it is "3.5", the default is 3000)'],
    [{ QUOTA_USD_PER_MONTH: '-1' }, 'QUOTA_USD_PER_MONTH: must be a number of at least 0 (it is "-1")'],
    [{ ALLOW_OPEN: 'maybe' }, 'ALLOW_OPEN: must be true or false (it is "maybe", the default is false)'],
    [
      { ROUTER_EFFORT: 'meduim' },
      'ROUTER_EFFORT: must be one of "low", "medium", "high", "xhigh", "max"; did you mean "medium"? (it is "meduim", the default is low)',
    ],
    [
      { DATABASE_URL: 'mysql://me:secret@db/x' },
      'DATABASE_URL: must be a postgres:// URL, as postgres://user:password@localhost:5432/forge',
    ],
    [{ VOYAGE_BASE_URL: 'x' }, 'VOYAGE_BASE_URL: must be a URL, as https://example.com'],
  ])('say of %j what would do, and show no secret', (environment, problem) => {
    expect(problemsOf(environment)).toBe(`these settings cannot be used:\n  ${problem}`);
  });

  it('warn of a variable that was probably meant as one, and of no other', () => {
    expect(
      misspelledSettings({
        MAX_UPLOAD_BYTE: '1',
        DATABASE_URI: 'postgres://x',
        MAX_UPLOAD_BYTES: '1',
        PORTS: '1',
        PATH: '/bin',
        OTEL_SERVICE_NAME: 'forge',
        FORGE_API_KEY: 'k',
        HOSTNAME: 'x',
      }),
    ).toEqual([
      'MAX_UPLOAD_BYTE is no setting; did you mean MAX_UPLOAD_BYTES?',
      'DATABASE_URI is no setting; did you mean DATABASE_URL?',
    ]);
  });

  it('name every setting that is wrong at once', () => {
    expect(problemsOf({ PORT: 'x', LOG_LEVEL: 'loud' })).toMatch(/PORT[\s\S]*LOG_LEVEL/);
  });

  it('open the service beyond loopback only when told to', () => {
    expect(readConfig({ HOST: '0.0.0.0', ALLOW_OPEN: 'true' }).HOST).toBe('0.0.0.0');
  });
});

describe('the settings of embeddings', () => {
  it('know the vectors of OpenAI, and ask for the size of those of any other model', () => {
    const openai = readConfig({ EMBEDDING_PROVIDER: 'openai' });
    expect(openai).toMatchObject({ EMBEDDING_MODEL: 'text-embedding-3-small', EMBEDDING_DIMENSIONS: 1_536 });
    const other = { EMBEDDING_PROVIDER: 'openai', EMBEDDING_MODEL: 'nomic-embed-text' };
    expect(problemsOf(other)).toContain('EMBEDDING_DIMENSIONS:');
    expect(readConfig({ ...other, EMBEDDING_DIMENSIONS: '768' }).EMBEDDING_DIMENSIONS).toBe(768);
  });

  it('take no vectors that no row has room for', () => {
    expect(problemsOf({ EMBEDDING_PROVIDER: 'openai', EMBEDDING_DIMENSIONS: '3072' })).toContain(
      'EMBEDDING_DIMENSIONS:',
    );
  });

  it('send the shared key to no server that has an address of its own', () => {
    const shared = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'https://shared.example/v1' };
    expect(openAiAddress('EMBEDDING', readConfig(shared))).toMatchObject({
      apiKey: 'k',
      baseUrl: 'https://shared.example/v1',
    });
    const own = readConfig({ ...shared, EMBEDDING_BASE_URL: 'http://localhost:11434/v1' });
    expect(openAiAddress('EMBEDDING', own)).toEqual({
      apiKey: undefined,
      baseUrl: 'http://localhost:11434/v1',
      settings: { key: 'EMBEDDING_API_KEY', address: 'EMBEDDING_BASE_URL' },
    });
  });
});

describe('the settings of language models', () => {
  it('go by the key, and by the provider where it is named', () => {
    expect(readConfig({}).languageModelProvider).toBe('offline');
    expect(readConfig({ OPENAI_API_KEY: 'k' }).languageModelProvider).toBe('offline');
    expect(readConfig({ ANTHROPIC_API_KEY: 'k' }).languageModelProvider).toBe('anthropic');
    const offline = readConfig({ ANTHROPIC_API_KEY: 'k', LLM_PROVIDER: 'offline' });
    expect(offline.languageModelProvider).toBe('offline');
    expect(problemsOf({ LLM_PROVIDER: 'anthropic' })).toContain('ANTHROPIC_API_KEY:');
  });

  it('take one model of an OpenAI-compatible server for everything, and ask for its name', () => {
    expect(problemsOf({ LLM_PROVIDER: 'openai' })).toContain('MODEL_NAME:');
    expect(readConfig({ LLM_PROVIDER: 'openai', MODEL_NAME: 'qwen3' })).toMatchObject({
      ROUTER_MODEL: 'qwen3',
      TURN_SUMMARY_MODEL: 'qwen3',
    });
  });
});
