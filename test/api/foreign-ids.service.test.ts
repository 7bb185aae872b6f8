import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { createTenants } from '../helpers/tenants.ts';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT';
interface Operation {
  operationId: string;
  security?: Record<string, string[]>[];
  requestBody?: {
    content: Record<string, { schema?: unknown; examples?: Record<string, { value: unknown }> }>;
  };
}

const contract = JSON.parse(readFileSync(join(packageRoot, 'openapi/openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
};
const operations = Object.entries(contract.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    path,
    method: method.toUpperCase() as Method,
    ...operation,
  })),
);

/** What each operation is sent, where it takes a body: one that would be done if the resource were the caller's own. */
const BODIES: Record<string, unknown> = {
  renameProject: { name: 'Taken over' },
  renameFile: { name: 'taken-over.md' },
  renameLibraryFile: { name: 'taken-over.md' },
  deleteFiles: { names: ['quokka.md'] },
  deleteLibraryFiles: { names: ['quokka.md'] },
  changeState: { inputs: {} },
  verifyCitations: {
    citations: [{ filename: 'quokka.md', char_start: 0, quote: 'A quokka costs 12 euros' }],
  },
  createTurn: { message: 'What does a quokka cost?' },
  startResearch: { question: 'What does a quokka cost?' },
  search: { query: 'quokka' },
  findSections: { query: 'quokka' },
  findLibrarySections: { query: 'quokka' },
  callTool: { query: 'quokka' },
};
/** Parameters that are no ids of anything a workspace has, or that name what is to be made. */
const NOT_OWNED = new Set(['getProblemType', 'getProbe', 'getPattern', 'putLibraryFileContent']);

let forge: TestApp;
let tenants: Awaited<ReturnType<typeof createTenants>>;
/** By the name of the parameter: what workspace A has. */
let owned: Record<string, string>;

beforeAll(async () => {
  forge = await startTestApp();
  tenants = await createTenants(forge, ['acme', 'other']);
  const headers = tenants.of('acme');
  const text = '# Quokka\n\nA quokka costs 12 euros, which is what the board has agreed on.\n';
  await forge.call('POST', '/projects', { id: 'roi', name: 'Quokka' }, headers);
  await forge.upload('roi', { 'quokka.md': text }, headers);
  await forge.uploadToLibrary({ 'quokka.md': text }, headers);
  await forge.call('POST', '/projects/roi/turns', { message: 'What does a quokka cost?' }, headers);
  const run = await forge.call('POST', '/projects/roi/research', { question: 'The price?' }, headers);
  const sections = await forge.call(
    'POST',
    '/projects/roi/files/quokka.md/sections',
    { query: 'quokka' },
    headers,
  );
  const keys = await forge.call('GET', '/keys', undefined, headers);
  await forge.settle();
  owned = {
    project_id: 'roi',
    name: 'quokka.md',
    n: '1',
    run_id: run.body.id,
    pointer_id: sections.body.pointers[0].pointer_id,
    artifact: 'problem_brief',
    id: keys.body.data[0].id,
    workspace_id: 'acme',
  };
});
afterAll(() => forge.close());

const UNKNOWN: Record<string, string> = {
  project_id: 'nowhere',
  name: 'nothing.md',
  n: '7',
  run_id: 'no-such-run',
  pointer_id: 'outline:nothing.md:00000000-00000000',
  artifact: 'problem_brief',
  id: '0000000000000000',
  workspace_id: 'nowhere',
};

/** Tools have names of their own where files have theirs. */
const idsOf = (ids: Record<string, string>, operationId: string) =>
  operationId === 'callTool' ? { ...ids, name: 'search_documents' } : ids;

const addressOf = (path: string, ids: Record<string, string>) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const id = ids[name];
    if (id === undefined) throw new Error(`the test knows no {${name}}: say what workspace A has of it`);
    return encodeURIComponent(id);
  });

/** Bodies that are not JSON, with their types. */
const RAW: Record<string, [type: string, payload: string]> = {
  uploadFiles: [
    'multipart/form-data; boundary=x',
    '--x\r\nContent-Disposition: form-data; name="file"; filename="new.md"\r\n\r\n# New\r\n--x--\r\n',
  ],
  putFileContent: ['application/octet-stream', '# New'],
  importTurns: [
    'application/jsonl',
    '{"role":"user","content":"Hello"}\n{"role":"assistant","content":"Hello."}\n',
  ],
};

async function send({ method, operationId, requestBody }: (typeof operations)[number], url: string) {
  const [type, payload] =
    RAW[operationId] ?? (requestBody ? ['application/json', JSON.stringify(BODIES[operationId] ?? {})] : []);
  const response = await forge.app.inject({
    method,
    url,
    headers: { ...tenants.of('other'), ...(type !== undefined && { 'content-type': type }) },
    ...(payload !== undefined && { payload }),
  });
  return { status: response.statusCode, text: response.body };
}

/** An answer without what belongs to the request: its id, its address, and the ids that it names. */
function comparable(answer: { status: number; text: string }, ids: Record<string, string>) {
  const { request_id: _, instance: __, ...rest } = JSON.parse(answer.text) as Record<string, unknown>;
  let text = JSON.stringify(rest);
  for (const [name, id] of Object.entries(ids)) {
    text = text.replace(new RegExp(`\\b${id}\\b`, 'g'), `{${name}}`);
  }
  return { status: answer.status, text };
}

async function rowsOfA(): Promise<string> {
  const { rows: tables } = await forge.db.query<{ table_name: string }>(
    `select table_name from information_schema.columns
     where table_schema = 'public' and column_name = 'workspace_id'
       and table_name not in ('api_keys', 'audit_events') order by 1`,
  );
  const digests: string[] = [];
  for (const { table_name: table } of tables) {
    const { rows } = await forge.db.query<{ digest: string | null }>(
      `select md5(string_agg(row, '' order by row)) as digest
       from (select to_jsonb(t)::text as row from ${table} t where workspace_id = 'acme') rows`,
    );
    digests.push(`${table} ${rows[0]?.digest}`);
  }
  return digests.join('\n');
}

describe('every operation of the contract', () => {
  it('says what it asks of its caller', () => {
    for (const { operationId, security } of operations) {
      expect([operationId, security]).toEqual([operationId, expect.any(Array)]);
      const scopes = (security ?? []).flatMap((one) => one.apiKey ?? []);
      if (security?.length) expect(['read', 'write', 'admin', 'service']).toContain(scopes[0]);
    }
  });

  it.each(
    operations.filter(
      ({ path, method, security }) => method === 'GET' && !path.includes('{') && security?.length,
    ),
  )('$operationId shows nothing of another workspace', async ({ path, operationId }) => {
    if (operationId === 'listenMcp') return;
    const { text } = await forge.call('GET', path, undefined, tenants.of('other'));
    expect(text).not.toMatch(/quokka/i);
    expect(text).not.toContain(owned.id ?? '');
  });

  it.each(operations.filter(({ path, operationId }) => path.includes('{') && !NOT_OWNED.has(operationId)))(
    '$operationId answers ids of another workspace as ids that there are not',
    async (operation) => {
      const before = await rowsOfA();
      const [foreignIds, unknownIds] = [owned, UNKNOWN].map((ids) => idsOf(ids, operation.operationId));
      const foreign = await send(operation, addressOf(operation.path, foreignIds ?? {}));
      const unknown = await send(operation, addressOf(operation.path, unknownIds ?? {}));
      // who is over no other workspace does not learn whether there are any
      const refused = operation.path.startsWith('/workspaces') ? 403 : 404;
      expect([foreign.status, foreign.text]).toEqual([refused, foreign.text]);
      expect(comparable(foreign, foreignIds ?? {})).toEqual(comparable(unknown, unknownIds ?? {}));
      expect(await rowsOfA()).toBe(before);
    },
  );
});

it('searches and asks in the library of its own workspace alone', async () => {
  const headers = tenants.of('other');
  const found = await forge.call('POST', '/library/search', { query: 'quokka' }, headers);
  expect(found.body.data).toEqual([]);
  await forge.call('POST', '/projects', { id: 'own', name: 'Own' }, headers);
  const both = { query: 'quokka', sources: ['project', 'library'] };
  expect((await forge.call('POST', '/projects/own/search', both, headers)).body.data).toEqual([]);
  const question = { question: 'What does a quokka cost?', sources: ['library'] };
  const run = await forge.call('POST', '/projects/own/research', question, headers);
  expect(run.text).not.toContain('12 euros');
});

it('goes on after no cursor and no event of another workspace', async () => {
  const { body } = await forge.call('GET', '/projects', undefined, tenants.of('acme'));
  const page = await forge.call('GET', `/projects?before=${body.last_id}`, undefined, tenants.of('other'));
  expect(page.text).not.toMatch(/quokka/i);
  const events = await forge.call('GET', '/projects/roi/turns/1/events', undefined, {
    ...tenants.of('other'),
    'last-event-id': '1',
  });
  expect(events.status).toBe(404);
});

it('puts a file into its own library, whatever another one has under the name', async () => {
  const before = await rowsOfA();
  const response = await forge.app.inject({
    method: 'PUT',
    url: '/library/files/quokka.md/content',
    headers: { ...tenants.of('other'), 'content-type': 'application/octet-stream' },
    payload: '# Another quokka',
  });
  expect(response.json()).toMatchObject({ name: 'quokka.md', version: 1 });
  await forge.settle();
  expect(await rowsOfA()).toBe(before);
});
