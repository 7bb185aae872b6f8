import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { createAnthropicModel } from '../../src/llm/anthropic.ts';
import { createEmbeddingModel } from '../../src/providers.ts';
import { type FakeAnthropic, type Scripted, startFakeAnthropic } from '../fakes/anthropic-server.ts';
import { startFakeVoyage } from '../fakes/voyage-server.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { parseEvents } from '../helpers/sse.ts';

// What a turn makes of everything that a provider can do to it, told as JSON and as events.

const ROUTE = {
  next_probe: 'stakeholder-mapping',
  triggered_patterns: [],
  active_mode: 'discovery',
  action: 'probe',
  requires_retrieval: true,
  relevant_files: [],
  reason: 'Several people are named.',
};
const RETRY = { attempts: 2, minDelayMs: 1, maxDelayMs: 5 };

let answer: (index: number) => Scripted;
let answers = 0;
let anthropic: FakeAnthropic;
let forge: TestApp;
let impatient: TestApp;
let projects = 0;
let project: string;

beforeAll(async () => {
  anthropic = await startFakeAnthropic({
    reply: (request) => {
      if (request.output_config?.format !== undefined) return { json: ROUTE };
      return request.tools ? answer(answers++) : { text: 'A summary.' };
    },
  });
  forge = await startTestApp({ overrides: models(10_000) });
  impatient = await startTestApp({ overrides: models(80) });
});
afterAll(async () => {
  await forge.close();
  await impatient.close();
  await anthropic.close();
});
beforeEach(async () => {
  answers = 0;
  project = `failures-${++projects}`;
  for (const app of [forge, impatient]) await app.call('POST', '/projects', { id: project, name: 'P' });
});

/** Models whose pauses are short; the one that answers may be silent for `silenceMs`. */
function models(silenceMs: number) {
  const model = (name: string, timeoutMs: number) =>
    createAnthropicModel({
      apiKey: 'test-key',
      baseUrl: anthropic.url,
      model: name,
      timeoutMs,
      retry: RETRY,
    });
  return {
    answerModel: model('claude-sonnet-5-5', silenceMs),
    smallModel: model('claude-haiku-5-5', 10_000),
  };
}

const post = (app: TestApp, headers: object) =>
  app.call('POST', `/projects/${project}/turns`, { message: 'Remember this sentence.' }, headers);
const events = async (app = forge) => parseEvents((await post(app, { accept: 'text/event-stream' })).text);
const turn = async (n: number) => (await forge.call('GET', `/projects/${project}/turns/${n}`)).body;

const FAILURES: [string, Scripted, number, string, object, number][] = [
  ['a rate limit', { status: 429 }, 503, 'model_unavailable', {}, 2],
  [
    'a rate limit that says how long',
    { status: 429, retryAfter: '7' },
    503,
    'model_unavailable',
    { retry_after_s: 7 },
    2,
  ],
  ['overload', { status: 529 }, 503, 'model_unavailable', {}, 2],
  [
    'overload that says how long',
    { status: 529, retryAfter: '3' },
    503,
    'model_unavailable',
    { retry_after_s: 3 },
    2,
  ],
  ['a fault of the provider', { status: 500, message: 'hunter2' }, 503, 'model_unavailable', {}, 2],
  ['a connection that is hung up', 'hang_up', 503, 'model_unavailable', {}, 2],
  ['a request that is not accepted', { status: 400, message: 'hunter2' }, 502, 'model_rejected', {}, 1],
  ['a key that is not accepted', { status: 401, message: 'hunter2' }, 503, 'provider_misconfigured', {}, 1],
  ['a model that is retired', { status: 404, message: 'hunter2' }, 503, 'provider_misconfigured', {}, 1],
  ['a refusal', { text: '', stopReason: 'refusal' }, 502, 'model_rejected', {}, 1],
  // text that was shown is never asked for again
  ['a stream that is cut', { text: ['Half an '], ending: 'cut' }, 503, 'model_unavailable', {}, 1],
  [
    'a stream that reports an overload',
    { text: ['Half an '], ending: 'overloaded' },
    503,
    'model_unavailable',
    {},
    1,
  ],
  ['a stream of broken JSON', { text: ['Half an '], ending: 'broken_json' }, 503, 'model_unavailable', {}, 1],
];

describe.each(FAILURES)('%s', (_name, scripted, status, code, more, asked) => {
  it('is told with its own problem, as JSON and as the last event, and loses no message', async () => {
    let broken = true;
    answer = () => (broken ? scripted : { text: 'Here I am again.' });
    const told = await post(forge, {});
    expect(told.status).toBe(status);
    expect(told.body).toMatchObject({ status, code, turn_number: 1, ...more });
    if ('retry_after_s' in more) expect(told.headers['retry-after']).toBe(String(more.retry_after_s));
    expect(answers).toBe(asked);
    expect(await turn(1)).toMatchObject({
      status: 'failed',
      message: 'Remember this sentence.',
      // what had been said of it stays in its events
      response: null,
      error: { code, retryable: told.body.retryable, ...more },
    });

    const received = await events();
    expect(received.at(-1)).toMatchObject({
      event: 'turn.failed',
      data: { ...told.body, request_id: expect.any(String), turn_number: 2, turn: { status: 'failed' } },
    });
    expect(received.filter(({ event }) => /^turn\.(completed|failed|cancelled)$/.test(event))).toHaveLength(
      1,
    );
    expect(JSON.stringify([received, told.body])).not.toContain('hunter2');

    broken = false;
    const retried = await forge.call('POST', `/projects/${project}/turns/2/retry`);
    expect(retried.body).toMatchObject({ status: 'completed', attempt: 2, response: 'Here I am again.' });
  });
});

it('gives up on a model that is silent, before its first word and in the middle', async () => {
  answer = (index) => (index < 2 ? 'no_answer' : { text: ['Half '], ending: 'silence' });
  const told = await post(impatient, {});
  expect(told.body).toMatchObject({ status: 503, code: 'model_unavailable', turn_number: 1 });
  expect(answers).toBe(2);
  const received = await events(impatient);
  expect(received.find(({ event }) => event === 'answer.delta')?.data.text).toBe('Half ');
  expect(received.at(-1)).toMatchObject({ event: 'turn.failed', data: { code: 'model_unavailable' } });
  expect(answers).toBe(3);
});

it('recalls the message of a turn that failed when it has left the window', async () => {
  answer = () => ({ status: 500 });
  expect((await post(forge, {})).status).toBe(503);
  answer = () => ({ text: 'Who decides on it?' });
  const say = (message: string) => forge.call('POST', `/projects/${project}/turns`, { message });
  for (const message of ['We begin in May.', 'The budget is fixed.', 'Legal has agreed.']) await say(message);
  const search = async () =>
    (await forge.call('POST', `/projects/${project}/search`, { query: 'which sentence', kinds: ['turns'] }))
      .body;
  await expect
    .poll(async () => (await search()).data[0])
    .toMatchObject({ turn_number: 1, status: 'failed', message: 'Remember this sentence.', response: '' });
  await say('What was the sentence to remember?');
  const { body } = await forge.call('GET', `/projects/${project}/turns/5/context`);
  const recalled = body.sections.find(({ name }: { name: string }) => name === 'retrieved_turns');
  expect(recalled.text).toContain('User: Remember this sentence.\nCopilot: (No reply: this turn failed.)');
});

it('recovers from a rate limit in time without anybody noticing', async () => {
  answer = (index) => (index === 0 ? { status: 429, retryAfter: '0' } : { text: 'Fine.' });
  expect((await events()).at(-1)).toMatchObject({ event: 'turn.completed', data: { response: 'Fine.' } });
});

it('keeps an answer that ended at the limit of tokens', async () => {
  answer = () => ({ text: 'As far as it went', stopReason: 'max_tokens' });
  expect((await events()).at(-1)).toMatchObject({
    event: 'turn.completed',
    data: { status: 'completed', response: 'As far as it went' },
  });
});

it('shows a tool call of broken JSON and the error that the model was given, and goes on', async () => {
  answer = (index) =>
    index === 0
      ? { toolCalls: [{ name: 'update_skeleton', rawInput: '{"field": "decision_ma' }] }
      : { text: 'Understood.' };
  const received = await events();
  expect(received.find(({ event }) => event === 'tool.returned')?.data).toMatchObject({
    name: 'update_skeleton',
    is_error: true,
  });
  expect(received.at(-1)?.data).toMatchObject({
    status: 'completed',
    response: 'Understood.',
    state_changes: [],
  });
});

it('answers from words alone when the embedding provider is down at the time of the question', async () => {
  let down = false;
  const voyage = await startFakeVoyage({
    script: () => (down ? { kind: 'error', status: 400, detail: 'hunter2' } : undefined),
  });
  const settings = { VOYAGE_API_KEY: 'test-key', VOYAGE_BASE_URL: voyage.url };
  const embeddingModel = createEmbeddingModel(readConfig(settings));
  const app = await startTestApp({ settings, overrides: { embeddingModel } });
  await app.call('POST', '/projects', { id: 'p', name: 'P' });
  await app.upload('p', {
    'notes.md': '# People\n\nDana decides on the budget. Ilya thinks the budget is too small.\n',
  });
  down = true;
  const { text } = await app.call(
    'POST',
    '/projects/p/turns',
    { message: 'What does Ilya think of the budget?' },
    { accept: 'text/event-stream' },
  );
  expect(parseEvents(text).at(-1)).toMatchObject({
    event: 'turn.completed',
    data: { response: expect.stringContaining('Ilya thinks the budget is too small') },
  });
  const { retrieval } = (await app.call('GET', '/projects/p/turns/1/context')).body;
  await app.close();
  await voyage.close();
  expect(retrieval.documents).toBe('lexical_fallback');
});
