import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { type Exposition, readExposition } from '../helpers/exposition.ts';

// What is measured of a whole session, and that nothing of what people wrote is in it.

const CANARY = 'zebrafinch';
let app: TestApp;
let metrics: Exposition;

beforeAll(async () => {
  app = await startTestApp();
  await app.call('POST', '/projects', { id: CANARY, name: CANARY });
  const text = `# ${CANARY}\n\nThe ${CANARY} flight leaves at noon, and Marta decides who is on it.\n`;
  await app.upload(CANARY, { [`${CANARY}.md`]: text });
  await app.call('POST', '/projects', { id: `${CANARY}-2`, name: CANARY });
  await app.upload(`${CANARY}-2`, { [`${CANARY}.md`]: text });
  const said = await app.call('POST', `/projects/${CANARY}/turns`, { message: `Who decides on ${CANARY}?` });
  expect(said.body.status).toBe('completed');
  await app.call('POST', `/projects/${CANARY}/search`, { query: CANARY });
  await app.call('POST', `/projects/${CANARY}/research`, { question: `Who is on ${CANARY}?` });
  await app.call('GET', `/${CANARY}`);
  await app.call('GET', `/projects/${CANARY}/files/${CANARY}-3.md`);
  await app.settle();
  metrics = readExposition((await app.call('GET', '/metrics')).text);
});
afterAll(() => app.close());

it('counts and times requests by operation, and what has none under one name', () => {
  expect(metrics.value('forge_http_requests_total', { operation: 'createTurn', status: '201' })).toBe(1);
  expect(
    metrics.value('forge_http_requests_total', { operation: 'unmatched', method: 'any', status: '404' }),
  ).toBe(1);
  expect(metrics.value('forge_http_problems_total', { code: 'file_not_found' })).toBe(1);
  expect(metrics.value('forge_http_request_duration_seconds_count', { operation: 'createTurn' })).toBe(1);
  // the one that asks
  expect(metrics.value('forge_http_requests_in_flight')).toBe(1);
});

it('times turns by their steps, and searches', () => {
  expect(metrics.value('forge_runs_total', { kind: 'turn', status: 'completed' })).toBe(1);
  expect(metrics.value('forge_run_duration_seconds_count', { kind: 'research' })).toBe(1);
  for (const phase of ['route', 'embed', 'retrieve', 'assemble', 'answer']) {
    expect(metrics.value('forge_run_phase_duration_seconds_count', { kind: 'turn', phase }), phase).toBe(1);
  }
  expect(metrics.value('forge_retrieval_duration_seconds_count', { caller: 'turn' })).toBe(1);
  expect(metrics.value('forge_retrieval_duration_seconds_count', { caller: 'search' })).toBe(1);
});

it('times jobs and the stages of ingestion, and tells where vectors came from', () => {
  const jobs = { kind: 'ingest_file', outcome: 'completed' };
  expect(metrics.value('forge_job_duration_seconds_count', jobs)).toBe(2);
  for (const stage of ['converting', 'chunking', 'embedding', 'storing']) {
    expect(metrics.value('forge_ingestion_stage_duration_seconds_count', { stage }), stage).toBe(2);
  }
  for (const source of ['model', 'cache']) {
    expect(metrics.value('forge_embedding_texts_total', { source }), source).toBe(1);
  }
});

it('counts what models are called for, their tokens and their cost', () => {
  const use = { phase: 'answer', provider: 'offline', model: 'offline' };
  // a turn, and the steps of research
  expect(
    metrics.value('forge_provider_call_duration_seconds_count', { ...use, outcome: 'ok' }),
  ).toBeGreaterThan(1);
  expect(metrics.value('forge_provider_cost_usd_total', use)).toBe(0);
  const embedded = { phase: 'embed', provider: 'local', kind: 'input' };
  expect(metrics.value('forge_provider_tokens_total', embedded)).toBeGreaterThan(0);
});

it('tells how the database, the queue and the child processes stand', () => {
  expect(metrics.value('forge_database_up')).toBe(1);
  expect(metrics.value('forge_database_connections', { state: 'most' })).toBeGreaterThan(0);
  expect(metrics.value('forge_database_statement_duration_seconds_count')).toBeGreaterThan(10);
  expect(metrics.value('forge_child_processes_started_total', { pool: 'small_files' })).toBe(1);
  expect(metrics.value('forge_child_requests_total', { pool: 'small_files', outcome: 'result' })).toBe(2);
});

it('has nothing in its labels of what was written, named or asked', () => {
  expect(metrics.text).not.toContain(CANARY);
  expect(metrics.text).not.toContain('Marta');
});

it('has the metrics that the table of docs/operations.md describes, with their types, and no other', async () => {
  const text = await readFile(join(packageRoot, 'docs', 'operations.md'), 'utf8');
  const described = [...text.matchAll(/^\| `(forge_\w+)` \| (\w+) \|/gm)].map(([, name, type]) => [
    name,
    type,
  ]);
  const own = [...metrics.types].filter(([name]) => name.startsWith('forge_'));
  expect(described.toSorted()).toEqual(own.toSorted());
});
