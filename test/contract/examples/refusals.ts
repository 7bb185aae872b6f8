import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type GenerateRequest, type LanguageModel, ModelError } from '../../../src/llm/model.ts';
import { settingsAdvice } from '../../../src/provider-advice.ts';
import { createFakeEmbeddingModel } from '../../fakes/embedding-model.ts';
import { fakeLanguageModel, routeReply } from '../../fakes/language-model.ts';
import { startTestApp, type TestApp } from '../../helpers/app.ts';
import { rebuilt } from '../../helpers/archive.ts';
import { gate } from '../../helpers/gate.ts';
import { form, HOLDING } from './files.ts';
import { createRecorder, type Examples, type Recorder } from './recorder.ts';

const PROJECT = { project_id: 'campaign-roi-analysis' };
const OTHER = { project_id: 'pilot' };
const EVENTS = { accept: 'text/event-stream' };
const REJECTED = 'Ask what the model does not take.';
const UNSET = 'Ask the model whose key has run out.';

/** In seconds since 1970: a token is good until then. */
const FAR = 4_102_444_800;

/** Little of everything. */
const NARROW = {
  MAX_UPLOAD_BYTES: '2000',
  MAX_FILES_PER_PROJECT: '2',
  MAX_IMPORT_BYTES: '50000',
  MAX_EVENT_STREAMS: '1',
  MAX_CONCURRENT_TURNS: '1',
  MAX_EXPENSIVE_REQUESTS: '3',
  TURN_TOKEN_BUDGET: '4000',
  QUOTA_PROJECTS: '2',
};

const untilAborted = (signal: AbortSignal | undefined): Promise<never> =>
  new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason), { once: true }));

/** A model that fails as it is told in a message, and keeps quiet when it is told to hold; `onHeld` is told of that. */
function moodyModel(onHeld: () => void): LanguageModel {
  const setup = {
    name: 'Anthropic',
    model: 'the-model',
    settings: { key: 'ANTHROPIC_API_KEY', model: 'MODEL_NAME' },
  };
  const fake = fakeLanguageModel(() => ({ text: 'Well.' }));
  const said = ({ messages }: GenerateRequest): string => JSON.stringify(messages.at(-1));
  return {
    ...fake,
    async generate(request) {
      if (said(request).includes(REJECTED)) throw new ModelError('no', { reason: 'rejected', status: 400 });
      if (said(request).includes(UNSET)) {
        throw new ModelError('no', { reason: 'rejected', advice: settingsAdvice('key', setup) });
      }
      if (!said(request).includes(HOLDING)) return fake.generate(request);
      onHeld();
      return untilAborted(request.signal);
    },
  };
}

/** What a narrow service refuses at once. */
async function playLimits({ call }: Recorder): Promise<void> {
  await call('createProject', 201, { body: { id: PROJECT.project_id, name: 'Campaign' } });
  await call('createProject', 201, { body: { id: OTHER.project_id, name: 'Pilot' } });
  await call('createProject', 403, { body: { name: 'One too many' } });
  await call('createProject', 413, { body: { name: 'x'.repeat(2_000_000) } });
  await call('listProjects', 421, { headers: { host: 'forge.example' } });
  await call('listProjects', 403, { headers: { origin: 'https://app.example' } });
  const path = PROJECT;
  await call('uploadFiles', 400, { path, raw: form({}) });
  await call('uploadFiles', 413, { path, raw: form({ 'minutes.md': 'word '.repeat(1_000) }) });
  await call('uploadFiles', 201, {
    path,
    raw: form({ 'notes.md': '# Notes' }),
    headers: { prefer: 'wait=60' },
  });
  await call('renameFile', 422, { path: { ...path, name: 'notes.md' }, body: { name: 'a/b.md' } });
  await call('uploadFiles', 201, { path, raw: form({ 'a.md': '# A' }), headers: { prefer: 'wait=60' } });
  await call('uploadFiles', 422, { path, raw: form({ 'b.md': '# B' }) });
  const raw = { type: 'application/zip', payload: Buffer.alloc(60_000) };
  await call('importProject', 413, { raw });
}

/** What the state, the message and the model come to. */
async function playTurns({ call }: Recorder): Promise<void> {
  const path = OTHER;
  const assumption = (id: string, on: string) => ({
    id,
    statement: `Customers read the report ${id}.`,
    confidence: 'guessed',
    impact: 'high',
    depends_on: [on],
  });
  const circle = [assumption('a1', 'a2'), assumption('a2', 'a1')];
  await call('changeState', 422, { path, body: { assumptions: circle } });
  await call('createTurn', 422, { path, body: { message: 'word '.repeat(6_000) } });
  await call('createTurn', 422, { path, body: { message: 'Hello', limits: { max_cost_usd: 0.1 } } });
  await call('createTurn', 502, { path, body: { message: REJECTED } });
  await call('createTurn', 503, { path, body: { message: UNSET } });
}

/** What stands in the way while something else goes on. */
async function playBusy({ call }: Recorder, app: TestApp, held: () => Promise<void>): Promise<void> {
  const turn = (project: typeof PROJECT, headers = {}) =>
    app.app.inject({
      method: 'POST',
      url: `/projects/${project.project_id}/turns`,
      headers,
      payload: { message: HOLDING },
    });
  const running = turn(PROJECT, EVENTS);
  await held();
  await call('createTurn', 409, { path: PROJECT, body: { message: 'Hello' } });
  await call('createTurn', 429, { path: OTHER, body: { message: 'Hello' } });
  await call('createTurn', 503, { path: OTHER, body: { message: 'Hello' }, headers: EVENTS });
  const raw = form({ 'slow.md': HOLDING });
  const headers = { prefer: 'wait=60', 'idempotency-key': 'slow' };
  const upload = (name: string, key: string) =>
    app.upload(OTHER.project_id, { [name]: `# ${name}\n\n${HOLDING}` }, { 'idempotency-key': key });
  const first = app.app.inject({
    method: 'POST',
    url: '/projects/pilot/files',
    headers: { ...headers, 'content-type': raw.type },
    payload: raw.payload,
  });
  await held();
  await call('uploadFiles', 409, { path: OTHER, raw, headers });
  const second = upload('slower.md', 'slower');
  await held();
  await call('search', 503, { path: PROJECT, body: { query: 'Who decides?' } });
  await call('cancelTurn', 200, { path: { ...PROJECT, n: 1 } });
  for (const name of ['slow.md', 'slower.md']) await call('cancelFile', 200, { path: { ...OTHER, name } });
  await Promise.all([running, first, second]);
}

/** What is stored in a form that the service cannot use. */
async function playStored({ call }: Recorder, app: TestApp): Promise<void> {
  const { rawPayload } = await call('exportProject', 200, { path: PROJECT });
  const payload = await rebuilt(rawPayload, {}, { format_version: 99, forge_version: '9.0.0' });
  await call('importProject', 422, { raw: { type: 'application/zip', payload } });
  await app.db.query(`update file_versions set key_id = 'retired'`);
  await call('getFileContent', 503, { path: { ...PROJECT, name: 'notes.md' } });
}

/** Keys that are used too much, or guessed. */
async function playKeys({ call }: Recorder, app: TestApp): Promise<void> {
  const { value: service } = await call('createKey', 201, {
    body: { name: 'Operations', scopes: ['service'] },
  });
  const { value: hasty } = await call('createKey', 201, {
    body: { name: 'Hasty', scopes: ['read'], rate_limits: { requests: 2 } },
    headers: { authorization: `Bearer ${service.key}` },
  });
  const headers = { authorization: `Bearer ${hasty.key}` };
  for (const _ of ['first', 'second']) await call('getProject', 200, { path: PROJECT, headers });
  await call('getProject', 429, { path: PROJECT, headers });
  const guess = { authorization: 'Bearer guessed' };
  for (let status = 401; status === 401; ) {
    ({ status } = await app.call('GET', '/projects', undefined, guess));
  }
  await call('listProjects', 429, { headers: guess });
}

async function playNarrow(examples: Examples): Promise<string[]> {
  let held = gate();
  const onHeld = (): void => held.open();
  const embedder = createFakeEmbeddingModel();
  const app = await startTestApp({
    settings: NARROW,
    overrides: {
      answerModel: moodyModel(onHeld),
      smallModel: fakeLanguageModel(() => ({ text: routeReply() })),
      embeddingModel: {
        ...embedder,
        async embed(texts, options) {
          if (!texts.some((text) => text.includes(HOLDING)) || options.inputType === 'query') {
            return embedder.embed(texts, options);
          }
          onHeld();
          return untilAborted(options.signal);
        },
      },
    },
  });
  try {
    const recorder = await createRecorder(app, examples);
    await playLimits(recorder);
    await playTurns(recorder);
    await playBusy(recorder, app, async () => {
      await held.opened;
      held = gate();
    });
    await playStored(recorder, app);
    await playKeys(recorder, app);
    return recorder.faults;
  } finally {
    await app.close();
  }
}

/** A service without embeddings and without a language model. */
async function playWithoutMeaning(examples: Examples): Promise<string[]> {
  const app = await startTestApp({ settings: { EMBEDDING_PROVIDER: 'off' }, ownEmbeddings: true });
  try {
    const { call, faults } = await createRecorder(app, examples);
    await call('searchLibrary', 409, { body: { query: 'Who decides?', mode: 'semantic' } });
    await call('uploadLibraryFiles', 409, { raw: form({ 'notes.md': 'x' }), query: { contextual: 'true' } });
    return faults;
  } finally {
    await app.close();
  }
}

/** A service whose identity provider answers nothing. */
async function playWithoutProvider(examples: Examples): Promise<string[]> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  const settings = { OIDC_ISSUER: `http://127.0.0.1:${port}`, OIDC_AUDIENCE: 'forge' };
  const app = await startTestApp({ settings });
  try {
    const { call, faults } = await createRecorder(app, examples);
    const claims = { iss: settings.OIDC_ISSUER, aud: settings.OIDC_AUDIENCE, sub: 'ada', exp: FAR };
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const token = `${part({ alg: 'RS256', kid: 'one' })}.${part(claims)}.c2lnbmVk`;
    await call('listProjects', 503, { headers: { authorization: `Bearer ${token}` } });
    return faults;
  } finally {
    await app.close();
  }
}

/**
 * What services refuse that have little of everything, or lack something. Only problems are kept of it.
 *
 * @returns where an answer was not what the contract says
 */
export async function playRefusals({ problems }: Examples): Promise<string[]> {
  const examples = { operations: {}, problems };
  const faults = await playNarrow(examples);
  faults.push(...(await playWithoutMeaning(examples)));
  faults.push(...(await playWithoutProvider(examples)));
  return faults;
}
