import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { type Config, ConfigError, readConfig } from '../config.ts';
import { createContainer } from '../container.ts';
import { startFailure } from '../db/start-failure.ts';
import { createLog } from '../telemetry/log.ts';
import { type Api, createApi } from './api.ts';
import { CliError, EXIT } from './exit.ts';

/** A service to call: one that runs, or this process over its database. */
export interface Connection {
  api: Api;
  /** What all its addresses begin with. */
  origin: string;
  /** What is sent as a bearer token; null: nothing. */
  key: string | null;
  /** Where it is, in words. */
  where: string;
  close(): Promise<void>;
}

/** The settings that say which service. */
export interface Target {
  /** The service's address; undefined: straight on the database. */
  url: string | undefined;
  key: string | undefined;
}

export const targetOf = (environment: NodeJS.ProcessEnv): Target => ({
  url: environment.FORGE_URL || undefined,
  key: environment.FORGE_API_KEY || undefined,
});

/**
 * Connects to the service that `FORGE_URL` names, or else opens the database of the settings in this process: the same
 * operations then, over a loopback port that lives as long as the command.
 *
 * @param withJobs whether the command makes work for jobs; without, this process takes none of the queue's
 * @throws CliError when the address is none, or the database cannot be opened
 */
export async function connect(
  environment: NodeJS.ProcessEnv,
  { withJobs }: { withJobs: boolean },
): Promise<Connection> {
  const { url, key } = targetOf(environment);
  if (url !== undefined) {
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
      throw new CliError(EXIT.usage, `FORGE_URL is not an http(s) address: ${url}`);
    }
    return { ...serviceAt(url, key ?? null), where: url, close: async () => undefined };
  }
  return openHere(environment, withJobs);
}

const serviceAt = (origin: string, key: string | null): Pick<Connection, 'api' | 'origin' | 'key'> => ({
  api: createApi(origin, key),
  origin: origin.replace(/\/+$/, ''),
  key,
});

async function openHere(environment: NodeJS.ProcessEnv, withJobs: boolean): Promise<Connection> {
  const config = configured(environment);
  const log = createLog(environment.LOG_LEVEL ?? 'silent', pino.destination(2));
  // the port is open to whoever works on this machine: only this process has the key
  const ownKey = randomBytes(32).toString('base64url');
  let container: Awaited<ReturnType<typeof createContainer>>;
  try {
    container = await createContainer(config, log, { role: withJobs ? 'worker' : 'reader', ownKey });
  } catch (error) {
    const hint =
      config.DATABASE_URL === undefined ? '\nIf a service runs on it, set FORGE_URL to its address.' : '';
    throw new CliError(
      EXIT.unavailable,
      `The database cannot be opened: ${startFailure(error)}${hint}`,
      error,
    );
  }
  await container.app.listen({ host: '127.0.0.1', port: 0 });
  return {
    ...serviceAt(container.app.listeningOrigin, ownKey),
    where:
      config.DATABASE_URL === undefined
        ? `the database in ${config.DATA_DIR}`
        : 'the database of DATABASE_URL',
    close: () => container.close(),
  };
}

/** @throws CliError naming every setting that cannot be used */
export function configured(environment: NodeJS.ProcessEnv): Config {
  try {
    return readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) throw new CliError(EXIT.usage, error.message, error);
    throw error;
  }
}
