import { playFiles } from './files.ts';
import type { Recorder } from './recorder.ts';

const PROJECT = { project_id: 'campaign-roi-analysis' };
const EVENTS = { accept: 'text/event-stream' };
const FAILING = 'Ask the model that is away.';
/** Whether the model fails at its next call, and only there. */
export const model = { failsNext: false };

async function playProject({ call }: Recorder): Promise<void> {
  await call('createProject', 201, { body: { name: 'Campaign ROI analysis' } });
  await call('createProject', 409, { body: { id: PROJECT.project_id, name: 'Again' } });
  await call('createProject', 400, { body: { id: 'Not a slug', name: 'Campaign' } });
  await call('createProject', 400, { raw: { type: 'application/json', payload: '{"name":' } });
  await call('createProject', 415, { raw: { type: 'text/csv', payload: 'name' } });
  await call('createProject', 400, { body: { name: 'C' }, headers: { 'idempotency-key': '"' } });
  await call('createProject', 201, {
    body: { id: 'pilot', name: 'Pilot' },
    headers: { 'idempotency-key': 'one' },
  });
  await call('createProject', 422, { body: { name: 'Other' }, headers: { 'idempotency-key': 'one' } });
  await call('listProjects', 200, { query: { limit: 20 } });
  await call('listProjects', 400, { query: { after: 'nonsense' } });
  await call('getProject', 200, { path: PROJECT });
  await call('getProject', 404, { path: { project_id: 'no-such-project' } });
  await call('renameProject', 200, { path: PROJECT, body: { name: 'Campaign ROI, second half' } });
}

async function playState({ call }: Recorder): Promise<void> {
  const assumptions = [{ statement: 'Customers read the report.', confidence: 'guessed', impact: 'high' }];
  const patch = {
    org_context: 'A 40-person analytics company; decisions are made by the product trio.',
    assumptions,
    skeleton: { problem_statement: 'Enterprise customers leave within a year.' },
  };
  await call('changeState', 200, { path: PROJECT, body: patch });
  await call('changeState', 412, { path: PROJECT, body: {}, headers: { 'if-match': '"99"' } });
  await call('changeState', 422, {
    path: PROJECT,
    body: { assumptions: [{ ...assumptions[0], depends_on: ['a9'] }] },
  });
  await call('getState', 200, { path: PROJECT });
  await call('getAssumptions', 200, { path: PROJECT });
  await call('getSkeleton', 200, { path: PROJECT });
  await call('listStaleness', 200, { path: PROJECT });
  await call('listArtifacts', 200, { path: PROJECT });
  await call('getArtifact', 200, { path: { ...PROJECT, artifact: 'problem_brief' } });
  await call('getArtifact', 404, { path: { ...PROJECT, artifact: 'no-such-artifact' } });
}

async function playTurns({ call }: Recorder, settle: () => Promise<void>): Promise<void> {
  const message = 'Why do enterprise customers leave?';
  await call('createTurn', 200, { path: PROJECT, body: { message, dry_run: true } });
  await call('createTurn', 201, { path: PROJECT, body: { message } });
  await settle();
  await call('createTurn', 200, {
    path: PROJECT,
    body: { message: 'How long is the notice period?' },
    headers: EVENTS,
  });
  await settle();
  await call('createTurn', 422, { path: PROJECT, body: { message, limits: { max_input_tokens: 1 } } });
  await call('listTurns', 200, { path: PROJECT });
  const first = { ...PROJECT, n: 1 };
  await call('getTurn', 200, { path: first });
  await call('getTurn', 404, { path: { ...PROJECT, n: 99 } });
  await call('getTurnContext', 200, { path: first });
  await call('cancelTurn', 200, { path: first });
  await call('retryTurn', 409, { path: first });
  await call('followTurn', 200, { path: first, query: { after: 0 } });
  model.failsNext = true;
  await call('createTurn', 503, { path: PROJECT, body: { message: FAILING } });
  await call('retryTurn', 200, { path: { ...PROJECT, n: 3 } });
  model.failsNext = true;
  await call('createTurn', 503, { path: PROJECT, body: { message: `${FAILING} And again.` } });
  await call('retryTurn', 200, { path: { ...PROJECT, n: 4 }, headers: EVENTS });
  await settle();
  const lines = ['{"role":"user","content":"Who decides?"}', '{"role":"assistant","content":"Dana."}'];
  const raw = { type: 'application/jsonl', payload: lines.join('\n') };
  await call('importTurns', 201, { path: PROJECT, raw });
  await settle();
}

async function playResearch({ call }: Recorder): Promise<void> {
  const body = { question: 'Why do enterprise customers leave? See the churn report.' };
  const { value: run } = await call('startResearch', 201, { path: PROJECT, body });
  await call('startResearch', 200, { path: PROJECT, body, headers: EVENTS });
  const one = { ...PROJECT, run_id: run.id };
  await call('listResearch', 200, { path: PROJECT });
  await call('getResearch', 200, { path: one });
  await call('getResearch', 404, { path: { ...PROJECT, run_id: 'no-such-run' } });
  await call('followResearch', 200, { path: one });
  await call('cancelResearch', 200, { path: one });
  await call('retryResearch', 409, { path: one });
  for (const [question, headers] of [
    [FAILING, {}],
    [`${FAILING} And again.`, EVENTS],
  ] as const) {
    model.failsNext = true;
    await call('startResearch', 503, { path: PROJECT, body: { question } });
    const { value: runs } = await call('listResearch', 200, { path: PROJECT, query: { order: 'desc' } });
    await call('retryResearch', 200, { path: { ...PROJECT, run_id: runs.data[0].id }, headers });
  }
  await call('listTools', 200);
  const tool = { ...PROJECT, name: 'search_in_document' };
  await call('callTool', 200, {
    path: tool,
    body: { filename: 'churn-report.md', query: 'enterprise churn' },
  });
  await call('callTool', 404, { path: { ...PROJECT, name: 'no_such_tool' }, body: {} });
}

async function playSearch({ call }: Recorder): Promise<void> {
  const body = { query: 'Why do enterprise customers leave?', limit: 4 };
  await call('search', 200, { path: PROJECT, body: { ...body, explain: true } });
  await call('searchLibrary', 200, { body });
  await call('getUsage', 200, { path: PROJECT });
  await call('getLibraryUsage', 200);
  await call('getWorkspaceUsage', 200);
}

async function playArchives({ call }: Recorder): Promise<void> {
  const { rawPayload } = await call('exportProject', 200, { path: PROJECT });
  const raw = { type: 'application/zip', payload: rawPayload };
  await call('importProject', 201, { raw, query: { id: 'copy' }, headers: { prefer: 'wait=60' } });
  await call('importProject', 202, { raw, query: { id: 'copy-2' }, headers: { prefer: 'respond-async' } });
  await call('importProject', 422, { raw: { ...raw, payload: 'no archive' } });
  await call('createBackup', 200);
}

async function playKnowledge({ call }: Recorder): Promise<void> {
  await call('getHealth', 200);
  await call('getReadiness', 200);
  await call('getMetrics', 200);
  await call('getVersion', 200);
  await call('getProblemType', 200, { path: { code: 'turn_in_progress' } });
  await call('getProblemType', 404, { path: { code: 'no_such_code' } });
  const { value: knowledge } = await call('getKnowledge', 200);
  const [{ mode, probes, patterns }] = knowledge.modes;
  await call('getProbe', 200, { path: { mode, key: probes[0].key } });
  await call('getPattern', 200, { path: { mode, key: patterns[0].key } });
  await call('getProbe', 404, { path: { mode, key: 'no-such-probe' } });
}

async function playMcp({ call }: Recorder): Promise<void> {
  const headers = { accept: 'application/json, text/event-stream' };
  const params = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'example', version: '1' },
  };
  const begun = await call('postMcp', 200, {
    headers,
    body: { jsonrpc: '2.0', id: 1, method: 'initialize', params },
  });
  const session = { ...headers, 'mcp-session-id': String(begun.headers['mcp-session-id']) };
  await call('postMcp', 202, {
    headers: session,
    body: { jsonrpc: '2.0', method: 'notifications/initialized' },
  });
  await call('postMcp', 400, { headers, body: { jsonrpc: '2.0', id: 2, method: 'tools/list' } });
  await call('postMcp', 406, {
    headers: { ...session, accept: 'text/plain' },
    body: { jsonrpc: '2.0', id: 2, method: 'ping' },
  });
  await call('listenMcp', 400, { headers });
  await call('listenMcp', 406, { headers: { ...session, accept: 'text/plain' } });
  await call('endMcp', 400);
  await call('endMcp', 200, { headers: session });
  for (const operation of ['postMcp', 'listenMcp', 'endMcp']) {
    const body = operation === 'postMcp' ? { jsonrpc: '2.0', id: 3, method: 'ping' } : undefined;
    await call(operation, 404, { headers: session, body });
  }
}

/** What stands behind the address of a webhook. */
export interface Hooks {
  /** Has a webhook be sent to a receiver that is there. */
  receive(id: string): Promise<void>;
  /** Waits until nothing is to be sent any more. */
  settled(): Promise<void>;
}

async function playWebhooks({ call }: Recorder, hooks: Hooks): Promise<void> {
  const url = 'https://hooks.example/forge';
  const { value: webhook } = await call('createWebhook', 201, {
    body: { url, description: 'Pipeline', types: ['run.failed'] },
  });
  await call('createWebhook', 400, { body: { url: 'ftp://hooks.example' } });
  const one = { webhook_id: webhook.id };
  await call('listWebhooks', 200);
  await call('getWebhook', 200, { path: one });
  await call('getWebhook', 404, { path: { webhook_id: 'wh_none' } });
  await call('rotateWebhookSecret', 200, { path: one });
  await hooks.receive(webhook.id);
  const { value: delivery } = await call('testWebhook', 202, { path: one });
  await hooks.settled();
  await call('listWebhookDeliveries', 200, { path: one });
  await call('retryWebhookDelivery', 202, { path: { ...one, delivery_id: delivery.id } });
  await hooks.settled();
  await call('retryWebhookDelivery', 404, { path: { ...one, delivery_id: 'msg_0' } });
  await call('updateWebhook', 200, { path: one, body: { url, status: 'disabled' } });
  await call('testWebhook', 409, { path: one });
  await call('deleteWebhook', 200, { path: one });
}

/** Comes last: from the first key on, every operation asks for one. */
async function playKeys({ call }: Recorder): Promise<void> {
  const { value: key } = await call('createKey', 201, { body: { name: 'Operations', scopes: ['service'] } });
  await call('getProject', 401, { path: PROJECT });
  await call('getProject', 401, { path: PROJECT, headers: { authorization: 'Bearer none' } });
  const headers = { authorization: `Bearer ${key.key}` };
  const { value: reader } = await call('createKey', 201, {
    body: { name: 'Reporting', scopes: ['read'] },
    headers,
  });
  await call('deleteProject', 403, { path: PROJECT, headers: { authorization: `Bearer ${reader.key}` } });
  await call('listKeys', 200, { headers });
  await call('revokeKey', 200, { path: { id: reader.id }, headers });
  await call('revokeKey', 404, { path: { id: 'no-such-key' }, headers });
  await call('revokeKey', 409, { path: { id: key.id }, headers });
  await call('createWorkspace', 201, { body: { id: 'acme', name: 'Acme' }, headers });
  await call('createWorkspace', 409, { body: { id: 'acme', name: 'Acme' }, headers });
  const acme = { workspace_id: 'acme' };
  await call('listWorkspaces', 200, { headers });
  await call('getWorkspace', 200, { path: acme, headers });
  await call('getWorkspace', 404, { path: { workspace_id: 'none' }, headers });
  await call('changeWorkspace', 200, { path: acme, headers, body: { quotas: { usd_per_month: 50 } } });
  await call('deleteWorkspace', 200, { path: acme, headers });
  await call('deleteWorkspace', 409, { path: { workspace_id: 'default' }, headers });
  await call('listAuditEvents', 200, { headers });
  await call('exportAuditEvents', 200, { headers });
  await call('deleteProject', 200, { path: PROJECT, headers });
}

/** One session with everything that the service can do, the same each time. */
export async function playSession(
  recorder: Recorder,
  settle: () => Promise<void>,
  hooks: Hooks,
): Promise<void> {
  await playKnowledge(recorder);
  await playProject(recorder);
  await playState(recorder);
  await playFiles(recorder, settle, PROJECT, (name) => name);
  await playFiles(recorder, settle, {}, (name) => name.replace(/^[a-z]+/, '$&Library'));
  await playTurns(recorder, settle);
  await playResearch(recorder);
  await playSearch(recorder);
  await playArchives(recorder);
  await playMcp(recorder);
  await playWebhooks(recorder, hooks);
  await playKeys(recorder);
}
