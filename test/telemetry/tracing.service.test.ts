import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startTracing, type Tracing } from '../../src/telemetry/tracing/start.ts';
import { type FakeAnthropic, startFakeAnthropic } from '../fakes/anthropic-server.ts';
import { attributeOf, type FakeCollector, startFakeCollector } from '../fakes/otlp-collector.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';

// One session with a collector: what is a part of what, and that nothing of what people wrote is in it.

const CANARY = 'zebrafinch';
const PROJECT = `/projects/${CANARY}`;
const QUESTION = `Who is on ${CANARY}?`;
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const [UPLOADER, ASKER, RESEARCHER] = ['a000000000000001', 'a000000000000002', 'a000000000000003'];
const [SERVER, CLIENT, CONSUMER] = [2, 3, 5];
const ROUTE = {
  next_probe: null,
  triggered_patterns: [],
  active_mode: 'discovery',
  action: 'answer',
  requires_retrieval: true,
  relevant_files: [],
  reason: CANARY,
};

let collector: FakeCollector;
let provider: FakeAnthropic;
let tracing: Tracing;
let app: TestApp;

const partOf = (parentId: string | undefined) => ({
  traceparent: `00-${TRACE}-${parentId}-01`,
  tracestate: `${CANARY}=1`,
});

/** Answers, and looks something up first when it is asked by research. */
const startProvider = () =>
  startFakeAnthropic({
    reply: ({ output_config: output, messages }) => {
      if (output?.format !== undefined) return { json: ROUTE };
      const isResearch = messages.length === 1 && JSON.stringify(messages).includes(QUESTION);
      const search = { name: 'search_documents', input: { query: CANARY } };
      return isResearch ? { toolCalls: [search] } : { text: `Marta. ${CANARY}` };
    },
  });

beforeAll(async () => {
  collector = await startFakeCollector();
  provider = await startProvider();
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.url);
  // the provider's SDK traces itself, and is asked to tell the prompts
  vi.stubEnv('ANTHROPIC_OPEN_TELEMETRY', 'true');
  vi.stubEnv('ANTHROPIC_OPEN_TELEMETRY_TRACES_CONTENT_MODE', 'content');
  tracing = await startTracing('1.2.3', { warn: () => undefined });
  const settings = { ANTHROPIC_API_KEY: 'test-key', ANTHROPIC_BASE_URL: provider.url };
  app = await startTestApp({ settings });

  await app.call(
    'POST',
    '/projects',
    { id: CANARY, name: CANARY },
    { traceparent: CANARY, authorization: `Bearer ${CANARY}` },
  );
  const text = `# ${CANARY}\n\nThe ${CANARY} flight leaves at noon, and Marta decides.\n`;
  // answered long before its work is done
  const later = { ...partOf(UPLOADER), prefer: 'respond-async' };
  await app.upload(CANARY, { [`${CANARY}.md`]: text }, later);
  await app.settle();
  const said = await app.call('POST', `${PROJECT}/turns`, { message: `Who is ${CANARY}?` }, partOf(ASKER));
  expect(said.body.status).toBe('completed');
  const run = await app.call('POST', `${PROJECT}/research`, { question: QUESTION }, partOf(RESEARCHER));
  expect(run.body.status).toBe('completed');
  await app.call('GET', `${PROJECT}/files/${CANARY}?${CANARY}`);
  await app.call('GET', `/${CANARY}`);
  await app.settle();
  await app.close();
  // requests end with their sockets, jobs when they are settled: both before the parts that the service closes last
  await tracing.flush();
});
afterAll(async () => {
  await tracing.stop();
  await Promise.all([collector.close(), provider.close()]);
  vi.unstubAllEnvs();
});

it('goes on with the trace of a client: through the queue and a child process to the stored file', () => {
  expect(collector.below(UPLOADER ?? '')).toEqual([
    'POST /projects/:project_id/files',
    '  job ingest_file',
    '    chat claude-haiku-5-5',
    '    ingest chunking',
    '    ingest converting',
    '      process small_files',
    '        convert',
    '        cut',
    '    ingest embedding',
    '      embeddings fake',
    '    ingest storing',
  ]);
});

it('shows the steps of a turn, the calls of providers in them, and the job that it leaves', () => {
  expect(collector.below(ASKER ?? '')).toEqual([
    'POST /projects/:project_id/turns',
    '  turn',
    '    job summarise_turn',
    '      chat claude-haiku-5-5',
    '      embeddings fake',
    '    turn answer',
    '      chat claude-sonnet-5-5',
    '    turn assemble',
    '    turn embed',
    '      embeddings fake',
    '    turn retrieve',
    '    turn route',
    '      chat claude-haiku-5-5',
  ]);
});

it('shows the steps of research', () => {
  expect(collector.below(RESEARCHER ?? '')).toEqual([
    'POST /projects/:project_id/research',
    '  research',
    '    chat claude-sonnet-5-5',
    '    chat claude-sonnet-5-5',
    '    execute_tool search_documents',
    '      embeddings fake',
  ]);
});

it('says in the terms of the conventions what was asked and what became of it', () => {
  const attributes = (name: string) => {
    const { attributes: all = [], kind } = collector.find(name) ?? {};
    return {
      kind,
      ...Object.fromEntries(all.map(({ key }) => [key, attributeOf({ attributes: all }, key)])),
    };
  };
  expect(attributes('POST /projects/:project_id/files')).toEqual({
    kind: SERVER,
    'http.request.method': 'POST',
    'http.route': '/projects/:project_id/files',
    'http.response.status_code': 202,
  });
  expect(attributes('job ingest_file')).toEqual({
    kind: CONSUMER,
    'forge.job.kind': 'ingest_file',
    'forge.job.subject': expect.stringMatching(/^file_/),
    'forge.job.attempt': 1,
    'forge.job.outcome': 'completed',
  });
  expect(attributes('chat claude-sonnet-5-5')).toEqual({
    kind: CLIENT,
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'anthropic',
    'gen_ai.request.model': 'claude-sonnet-5-5',
    'gen_ai.usage.input_tokens': expect.any(Number),
    'gen_ai.usage.output_tokens': expect.any(Number),
    'forge.phase': 'answer',
  });
  expect(attributes('GET /projects/:project_id/files/:name')).toMatchObject({
    'http.response.status_code': 400,
    'forge.problem': 'invalid_request',
  });
  expect(attributes('GET')).toMatchObject({ 'http.response.status_code': 404 });
  expect(attributeOf(collector.resource(), 'service.name')).toBe('forge');
});

it('begins a trace of its own where a client sends anything but a traceparent', () => {
  const made = collector.find('POST /projects');
  expect(made?.traceId).not.toBe(TRACE);
  expect(made?.parentSpanId).toBeUndefined();
});

it('has nothing in its spans of what was written, named, asked or sent as a key', () => {
  expect(collector.spans().length).toBeGreaterThan(30);
  expect(collector.text()).not.toContain(CANARY);
});

it('sends no trace to a provider', () => {
  expect(JSON.stringify(provider.requests)).not.toContain(TRACE);
});
