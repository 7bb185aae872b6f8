import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';

let forge: TestApp;
let url: string;
let count = 0;
beforeAll(async () => {
  forge = await startTestApp();
});
afterAll(() => forge.close());
beforeEach(async () => {
  const { body } = await forge.call('POST', '/projects', { id: `state-${++count}`, name: 'State' });
  url = `/projects/${body.id}/state`;
});

const assumption = (id: string, dependsOn: string[] = []) => ({
  id,
  statement: `Assumption ${id}`,
  confidence: 'guessed',
  impact: 'high',
  status: 'active',
  depends_on: dependsOn,
  source_turn: null,
  evidence: [],
});

describe('the state', () => {
  it('starts empty, and is unchanged until something changes it', async () => {
    const { status, body, headers } = await forge.call('GET', url);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      object: 'project_state',
      org_context: '',
      assumptions: [],
      skeleton: {},
      turn_count: 0,
    });
    const again = await forge.call('GET', url, undefined, { 'if-none-match': headers.etag });
    expect(again.status).toBe(304);
  });

  it('is changed by a merge patch under If-Match, once', async () => {
    const { headers } = await forge.call('GET', url);
    const patch = { org_context: 'Forty people.', skeleton: { problem_statement: 'ROI cannot be told.' } };
    const changed = await forge.call('PATCH', url, patch, { 'if-match': headers.etag });
    expect(changed.status).toBe(200);
    expect(changed.body.org_context).toBe('Forty people.');
    expect(changed.body.skeleton.problem_statement).toMatchObject({
      value: 'ROI cannot be told.',
      turn: null,
    });
    expect(changed.headers.etag).not.toBe(headers.etag);

    const stale = await forge.call('PATCH', url, { org_context: 'Fifty.' }, { 'if-match': headers.etag });
    expect(stale.status).toBe(412);
    expect(stale.body.code).toBe('precondition_failed');
    expect((await forge.call('GET', url)).body.org_context).toBe('Forty people.');
  });

  it('takes the media type of a merge patch', async () => {
    const headers = { 'content-type': 'application/merge-patch+json' };
    const { status } = await forge.call('PATCH', url, { org_context: 'x' }, headers);
    expect(status).toBe(200);
  });

  it('keeps the history of a skeleton field', async () => {
    await forge.call('PATCH', url, { skeleton: { root_cause: 'first' } });
    await forge.call('PATCH', url, { skeleton: { root_cause: 'second' } });
    const { body } = await forge.call('GET', `${url}/skeleton`);
    expect(body.fields.root_cause.value).toBe('second');
    expect(body.fields.root_cause.history.map((entry: { value: string }) => entry.value)).toEqual(['first']);
  });

  it('flags what depends on an assumption that a client invalidates', async () => {
    const register = [assumption('a1'), assumption('a2', ['a1']), assumption('a3', ['a2']), assumption('a4')];
    await forge.call('PATCH', url, { assumptions: register });
    const [first, ...others] = register;
    await forge.call('PATCH', url, { assumptions: [{ ...first, status: 'invalidated' }, ...others] });
    const { body } = await forge.call('GET', `${url}/assumptions`);
    expect(body.data.map((entry: { status: string }) => entry.status)).toEqual([
      'invalidated',
      'at_risk',
      'at_risk',
      'active',
    ]);
  });

  it('refuses dependencies in a circle', async () => {
    const { status, body } = await forge.call('PATCH', url, {
      assumptions: [assumption('a1', ['a2']), assumption('a2', ['a1'])],
    });
    expect(status).toBe(422);
    expect(body.code).toBe('dependency_cycle');
  });

  it.each([
    [{ file_summaries: [] }],
    [{ turn_count: 7 }],
    [{ unheard_of: true }],
    [{ assumptions: [{ id: 'a1' }] }],
    [{ skeleton: { not_a_field: 'x' } }],
    [{ routing: { active_mode: 'sleep' } }],
    [{ org_context: 'x'.repeat(20_000) }],
  ])('refuses %j and keeps what there was', async (patch) => {
    const before = await forge.call('GET', url);
    const { status, body } = await forge.call('PATCH', url, patch);
    expect(status).toBe(400);
    expect(body.code).toBe('invalid_request');
    expect(body.errors.length).toBeGreaterThan(0);
    expect((await forge.call('GET', url)).body).toEqual(before.body);
  });

  it('is not polluted through __proto__', async () => {
    const response = await forge.app.inject({
      method: 'PATCH',
      url,
      headers: { 'content-type': 'application/json' },
      payload: '{"__proto__": {"org_context": "polluted"}}',
    });
    expect(response.statusCode).toBe(400);
    expect(({} as { org_context?: string }).org_context).toBeUndefined();
  });
});
