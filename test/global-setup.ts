import { existsSync } from 'node:fs';
import { clusterServers, prepareTemplate } from './helpers/cluster.ts';

const DOCKER_SOCKET = '/var/run/docker.sock';

/**
 * Where the tests find their database: the cluster of TEST_CITUS_URLS, the server of TEST_DATABASE_URL, else a container where a Docker engine runs,
 * or DOCKER_HOST names one, else the embedded one (each test file then opens its own). An empty TEST_DATABASE_URL asks for
 * the embedded one.
 */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  const nodes = clusterServers();
  if (nodes) {
    // what asks for a server of its own finds the coordinator
    process.env.TEST_DATABASE_URL = nodes[0];
    await prepareTemplate(nodes);
    return undefined;
  }
  const { TEST_DATABASE_URL: given, DOCKER_HOST: engine } = process.env;
  if (given !== undefined || !(engine || existsSync(DOCKER_SOCKET))) return undefined;
  const { GenericContainer, Wait } = await import('testcontainers');
  const container = await new GenericContainer('pgvector/pgvector:pg17')
    .withEnvironment({ POSTGRES_PASSWORD: 'forge' })
    .withExposedPorts(5432)
    .withWaitStrategy(Wait.forLogMessage(/ready to accept connections/, 2))
    .start();
  process.env.TEST_DATABASE_URL = `postgres://postgres:forge@${container.getHost()}:${container.getMappedPort(5432)}/postgres`;
  return async () => {
    await container.stop();
  };
}
