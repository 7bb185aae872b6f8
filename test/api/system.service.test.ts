import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { DatabaseError } from '../../src/errors.ts';
import { isOpenApiCurrent } from '../../src/openapi-document.ts';
import { packageRoot } from '../../src/package-root.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';

let forge: TestApp;
beforeAll(async () => {
  forge = await startTestApp();
});
afterAll(() => forge.close());

describe('the service', () => {
  it('tells that it is alive, ready, and with what', async () => {
    expect((await forge.call('GET', '/healthz')).body).toEqual({ object: 'health', status: 'ok' });
    const { status, body } = await forge.call('GET', '/readyz');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ready: true,
      status: 'ok',
      reasons: [],
      retirements: [],
      database: { ok: true, kind: forge.db.kind },
      embedding: { provider: forge.embeddingModel.provider, model: forge.embeddingModel.id, dimensions: 512 },
      models: { provider: 'offline', answer: 'offline', router: 'offline', summary: 'offline' },
    });
    const manifest = JSON.parse(await readFile(join(packageRoot, 'package.json'), 'utf8'));
    expect((await forge.call('GET', '/version')).body).toMatchObject({ version: manifest.version });
  });

  it('is not ready when the database does not answer, and says nothing internal', async () => {
    const broken = await startTestApp({
      overrides: {
        db: {
          ...forge.db,
          query: (sql, params) =>
            sql === 'select 1' ? Promise.reject(new Error('secret host')) : forge.db.query(sql, params),
          close: async () => undefined,
        },
      },
    });
    const { status, text } = await broken.call('GET', '/readyz');
    await broken.close();
    expect(status).toBe(503);
    expect(JSON.parse(text)).toMatchObject({ ready: false, status: 'unavailable' });
    expect(text).not.toContain('secret');
  });

  it('keeps a request id that it is given, and makes one where there is none fit to keep', async () => {
    const kept = await forge.call('GET', '/healthz', undefined, { 'x-request-id': 'trace-42' });
    expect(kept.headers['x-request-id']).toBe('trace-42');
    const made = await forge.call('GET', '/nowhere', undefined, { 'x-request-id': 'not fit\u00e9' });
    expect(made.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(made.body).toMatchObject({
      code: 'route_not_found',
      status: 404,
      request_id: made.headers['x-request-id'],
    });
  });

  it('never shows an internal message', async () => {
    const failing = await startTestApp({
      overrides: {
        db: {
          ...forge.db,
          query: (sql, params) =>
            sql.includes('from projects')
              ? Promise.reject(new Error('password=hunter2'))
              : forge.db.query(sql, params),
          close: async () => undefined,
        },
      },
    });
    const { status, text, body } = await failing.call('GET', '/projects');
    await failing.close();
    expect(status).toBe(500);
    expect(body).toMatchObject({ code: 'internal_error', retryable: true });
    expect(text).not.toContain('hunter2');
  });

  it.each([
    ['unavailable', 503, { code: 'database_unavailable', retryable: true, retry_after_s: 5 }, '5'],
    ['full', 507, { code: 'storage_full', retryable: false }, undefined],
    ['unstorable', 400, { code: 'invalid_request', retryable: false }, undefined],
  ] as const)(
    'says of a database that is %s what a client can do',
    async (trouble, status, problem, after) => {
      const query: Database['query'] = (sql, params) =>
        sql.includes('from projects')
          ? Promise.reject(new DatabaseError(trouble, new Error('password=hunter2'), true))
          : forge.db.query(sql, params);
      const failing = await startTestApp({
        overrides: { db: { ...forge.db, query, close: async () => undefined } },
      });
      const answer = await failing.call('GET', '/projects');
      await failing.close();
      expect(answer.status).toBe(status);
      expect(answer.body).toMatchObject(problem);
      expect(answer.headers['retry-after']).toBe(after);
      expect(answer.text).not.toContain('hunter2');
    },
  );

  it('describes each kind of problem at the address that its type names', async () => {
    const problem = (await forge.call('GET', '/projects/none')).body;
    const { status, body } = await forge.call('GET', problem.type);
    expect(status).toBe(200);
    expect(body).toMatchObject({ code: problem.code, title: problem.title, status: problem.status });
    expect((await forge.call('GET', '/problems/constructor')).status).toBe(404);
  });
});

describe('the contract', () => {
  it('is the one that is committed', async () => {
    expect(await isOpenApiCurrent()).toBe(true);
  });

  it('is valid OpenAPI 3.1 and is served', async () => {
    const { body } = await forge.call('GET', '/openapi.json');
    expect(body.openapi).toMatch(/^3\.1/);
    expect(await new Validator().validate(body)).toMatchObject({ valid: true });
  });

  it('names, explains and gives the failures of every operation', async () => {
    const { paths } = (await forge.call('GET', '/openapi.json')).body as {
      paths: Record<
        string,
        Record<string, { operationId: string; summary: string; description: string; responses: object }>
      >;
    };
    const operations = Object.values(paths).flatMap((path) => Object.values(path));
    expect(operations.length).toBeGreaterThan(25);
    expect(new Set(operations.map((operation) => operation.operationId)).size).toBe(operations.length);
    for (const operation of operations) {
      expect(operation.summary, operation.operationId).toBeTruthy();
      expect(operation.description, operation.operationId).toBeTruthy();
    }
  });

  it('is shown at /docs by files that the service has itself', async () => {
    const page = await forge.call('GET', '/docs/');
    const rules = page.headers['content-security-policy'];
    // over plain HTTP on another machine's address, it would be blank
    expect(rules).not.toContain('upgrade-insecure-requests');
    expect(rules).not.toContain('https:');
    expect(page.text).toContain('<title>Forge</title>');
    expect(page.status).toBe(200);
    const script = /src="(?<path>[^"]+swagger-ui-bundle\.js)"/.exec(page.text)?.groups?.path ?? '';
    const { status, text } = await forge.call('GET', new URL(script, 'http://forge/docs/').pathname);
    expect(status).toBe(200);
    expect(text.length).toBeGreaterThan(100_000);
  });
});

describe('the knowledge', () => {
  it('is listed and read by mode and key', async () => {
    const { body } = await forge.call('GET', '/knowledge');
    const [discovery, evaluation] = body.modes;
    expect(discovery.probes).toHaveLength(7);
    expect(discovery.patterns).toHaveLength(8);
    expect(evaluation.probes).toHaveLength(5);
    expect(evaluation.risks.body).toContain('iability');
    const probe = await forge.call('GET', `/knowledge/discovery/probes/${discovery.probes[2].key}`);
    expect(probe.body).toMatchObject({ object: 'probe', title: 'Stakeholder Mapping', mode: 'discovery' });
    expect(probe.body.body.length).toBeGreaterThan(200);
    const pattern = await forge.call('GET', `/knowledge/discovery/patterns/${discovery.patterns[0].key}`);
    expect(pattern.body).toMatchObject({ object: 'pattern', title: 'Metrics Mismatch' });
  });

  it.each([
    '/knowledge/discovery/probes/none',
    '/knowledge/sleep/probes/root-cause-depth',
    '/knowledge/__proto__/probes/x',
  ])('answers 404 to %s', async (url) => {
    expect((await forge.call('GET', url)).body).toMatchObject({ status: 404, code: 'knowledge_not_found' });
  });
});
