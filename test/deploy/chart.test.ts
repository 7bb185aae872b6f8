import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { readConfig } from '../../src/config.ts';
import { version } from '../../src/version.ts';

const CHART = 'deploy/helm/forge';
const textOf = (file: string) => readFileSync(`${CHART}/${file}`, 'utf8');
const schema = z.fromJSONSchema(JSON.parse(textOf('values.schema.json')));
const settings = new Set(Object.keys(readConfig({ DATABASE_URL: 'postgres://db/forge' })));
const valueFiles = readdirSync(`${CHART}/ci`);

it('is of the version of the service', () => {
  expect(parse(textOf('Chart.yaml'))).toMatchObject({ appVersion: version });
});

it('has values that its schema allows, and no property that the schema has not or has alone', () => {
  const values = parse(textOf('values.yaml'));
  expect(schema.safeParse(values).error).toBeUndefined();
  const { properties } = JSON.parse(textOf('values.schema.json'));
  expect(Object.keys(values).sort()).toEqual(
    Object.keys(properties)
      .filter((name) => name !== 'global')
      .sort(),
  );
});

it.each(valueFiles)('allows %s', (file) => {
  expect(schema.safeParse(parse(textOf(`ci/${file}`))).error).toBeUndefined();
});

it.each([
  { replicas: 0 },
  { replica: 2 },
  { image: { digest: 'latest' } },
  { settings: { logLevel: 'info' } },
])('refuses %j', (values) => expect(schema.safeParse(values).success).toBe(false));

it('sets nothing that is no setting of the service', () => {
  const named = [...textOf('templates/deployment.yaml').matchAll(/- name: ([A-Z_]+)$/gm)].map(
    ([, name]) => name,
  );
  expect(named).toContain('SHUTDOWN_SECONDS');
  expect(named.filter((name) => name !== undefined && !settings.has(name))).toEqual([]);
});

it('a composition gives a stop more time than the service takes, as its chart does', () => {
  const { services } = parse(readFileSync('docker-compose.yml', 'utf8'));
  const { SHUTDOWN_SECONDS, SHUTDOWN_DELAY_SECONDS } = readConfig({});
  expect(Number.parseInt(services.forge.stop_grace_period, 10)).toBeGreaterThan(
    SHUTDOWN_DELAY_SECONDS + SHUTDOWN_SECONDS + 3,
  );
  expect(parse(textOf('values.yaml')).shutdownSeconds).toBe(SHUTDOWN_SECONDS);
});
