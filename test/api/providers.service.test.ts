import { afterEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { createEmbeddingModel } from '../../src/providers.ts';
import { startFakeAnthropic } from '../fakes/anthropic-server.ts';
import { startFakeVoyage } from '../fakes/voyage-server.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { parseEvents } from '../helpers/sse.ts';

// The production path with keys: the real SDKs against servers that speak the providers' wire format.

type Script = Parameters<typeof startFakeAnthropic>[0]['reply'];

const ROUTE = {
  next_probe: 'stakeholder-mapping',
  triggered_patterns: ['hidden-stakeholder-conflict'],
  active_mode: 'discovery',
  action: 'probe',
  requires_retrieval: true,
  relevant_files: ['notes.md'],
  reason: 'Several people are named.',
};
const NOTES = '# People\n\nDana decides on the budget of 40,000 euros. Ilya is against it.\n';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const isRouting = (request: { output_config?: { format?: unknown } }) =>
  request.output_config?.format !== undefined;

/** A service with both keys, whose answers (not its routes and summaries) come from `answer`. */
async function start(answer: Script, route: unknown = ROUTE) {
  let answers = 0;
  const anthropic = await startFakeAnthropic({
    reply: (request, index) => {
      if (isRouting(request)) return typeof route === 'function' ? route(request) : { json: route };
      if (!request.tools) return { text: 'Notes on who decides and what the budget is.' };
      return answer(request, answers++) as ReturnType<Script> & { index?: typeof index };
    },
  });
  closing.push(() => anthropic.close());
  const voyage = await startFakeVoyage();
  closing.push(() => voyage.close());
  const settings = {
    ANTHROPIC_API_KEY: 'test-key',
    ANTHROPIC_BASE_URL: anthropic.url,
    VOYAGE_API_KEY: 'test-key',
    VOYAGE_BASE_URL: voyage.url,
  };
  const embeddingModel = createEmbeddingModel(readConfig(settings));
  const forge = await startTestApp({ settings, overrides: { embeddingModel } });
  closing.push(() => forge.close());
  await forge.call('POST', '/projects', { id: 'p', name: 'P' });
  return { forge, anthropic, voyage };
}

const say = (forge: TestApp, message: string) => forge.call('POST', '/projects/p/turns', { message });

describe('with both keys', () => {
  it('routes, retrieves, changes the state by tools, and accounts for it', async () => {
    const { forge, anthropic, voyage } = await start((_request, index) =>
      index === 0
        ? {
            text: 'Let me note that. ',
            toolCalls: [
              {
                name: 'register_assumption',
                input: { statement: 'Dana can approve alone', confidence: 'guessed', impact: 'high' },
              },
              { name: 'update_skeleton', input: { field: 'decision_maker', value: 'Dana' } },
            ],
          }
        : { text: 'Dana decides on the budget [1]. Nothing supports this [7]. Who else must agree?' },
    );
    const file = await forge.upload('p', { 'notes.md': NOTES });
    expect(file.body).toMatchObject({
      status: 'completed',
      summary: 'Notes on who decides and what the budget is.',
    });
    expect(voyage.requests.find((request) => request.input_type === 'document')).toMatchObject({
      model: 'voyage-3.5-lite',
      output_dimension: 512,
      truncation: false,
    });

    const { status, body } = await say(forge, 'Who decides on the budget?');
    expect(status).toBe(201);
    expect(body.routing).toMatchObject({ ...ROUTE, source: 'model' });
    expect(body.response).toContain('Dana decides on the budget [1].');
    expect(body.response).not.toContain('[7]');
    expect(body.citations).toMatchObject([{ marker: 1, filename: 'notes.md' }]);
    expect(body.state_changes.map((change: { tool: string }) => change.tool)).toEqual([
      'register_assumption',
      'update_skeleton',
    ]);
    expect(body.model).toBe('claude-sonnet-5-5');
    expect(body.usage.cost_usd).toBeGreaterThan(0);
    expect(body.usage.by_phase.route.model).toContain('haiku');
    expect(body.usage.by_phase.answer.calls).toBe(2);

    const state = (await forge.call('GET', '/projects/p/state')).body;
    expect(state.assumptions).toMatchObject([
      { id: 'a1', statement: 'Dana can approve alone', source_turn: 1 },
    ]);
    expect(state.skeleton.decision_maker).toMatchObject({ value: 'Dana', turn: 1 });
    expect(state.routing).toMatchObject({ active_probe: 'stakeholder-mapping' });
    expect(state.turn_count).toBe(1);

    const receipt = (await forge.call('GET', '/projects/p/turns/1/context')).body;
    expect(receipt.citations).toEqual({ resolved: 1, removed: 1 });
    const answers = anthropic.requests.filter((request) => request.tools);
    expect(JSON.stringify(answers[0]?.system)).toContain('cache_control');
    expect(JSON.stringify(answers[0])).toContain('40,000 euros');
    expect((await forge.call('GET', '/readyz')).body).toMatchObject({
      embedding: { provider: 'voyage', model: 'voyage-3.5-lite' },
      models: { provider: 'anthropic' },
    });
  });

  it("sends a model's thoughts back with the results of its calls, and shows them beside the reply only", async () => {
    const called = (statement: string) => ({
      name: 'register_assumption',
      input: { statement, confidence: 'guessed', impact: 'high' },
    });
    const { forge, anthropic } = await start((_request, index) =>
      index < 2
        ? {
            thinking: index === 0 ? ['Who could that be?', { redacted: 'b3BhcXVl' }] : [''],
            updates: ['A note before the calls.'],
            toolCalls: [called(`Assumption ${index}`), called(`Another ${index}`)],
          }
        : {
            thinking: ['Enough.'],
            text: 'Dana decides.',
            usage: { output_tokens: 60, output_tokens_details: { thinking_tokens: 50 } },
          },
    );
    const { status, body } = await say(forge, 'Who decides on the budget?');
    expect(status).toBe(201);
    expect(body.response).toBe('Dana decides.');
    expect(body.state_changes).toHaveLength(4);

    const answering = anthropic.requests.filter((request) => request.tools);
    expect(answering).toHaveLength(3);
    const kinds = answering[2]?.messages.map(({ content }) =>
      typeof content === 'string' ? content : content.map(({ type }) => type).join(' '),
    );
    expect(kinds?.slice(-4)).toEqual([
      'thinking redacted_thinking thinking tool_use tool_use',
      'tool_result tool_result',
      'thinking thinking tool_use tool_use',
      'tool_result tool_result',
    ]);
    expect(
      answering.map(({ model, max_tokens, output_config }) => [model, max_tokens, output_config]),
    ).toEqual(Array.from({ length: 3 }, () => ['claude-sonnet-5-5', 8_192, { effort: 'medium' }]));
    expect(anthropic.requests.find(isRouting)).toMatchObject({
      model: 'claude-haiku-5-5',
      max_tokens: 4_650,
      output_config: { effort: 'low' },
    });

    expect(body.usage).toMatchObject({ thinking_tokens: 50, by_phase: { answer: { thinking_tokens: 50 } } });
    expect(body.usage.by_phase.route).not.toHaveProperty('thinking_tokens');
    await forge.flushEvents();
    const events = parseEvents((await forge.call('GET', '/projects/p/turns/1/events')).text);
    const said = (name: string) =>
      events.flatMap(({ event, data }) => (event === name ? [data.text] : [])).join('');
    expect(said('answer.delta')).toBe('Dana decides.');
    const note = 'A note before the calls.';
    expect(said('reasoning.delta')).toBe(`Who could that be?\n\n${note}\n\n${note}\n\nEnough.`);
    const receipt = (await forge.call('GET', '/projects/p/turns/1/context')).body;
    expect(receipt.usage.thinking_tokens).toBe(50);
    for (const shown of [body, receipt]) expect(JSON.stringify(shown)).not.toContain('note before');
    expect(JSON.stringify([body, receipt, events])).not.toContain('b3BhcXVl');
  });

  it('keeps the previous probe when the router names one that does not exist', async () => {
    const { forge } = await start(() => ({ text: 'Tell me more.' }), {
      ...ROUTE,
      next_probe: 'mind-reading',
    });
    await forge.call('PATCH', '/projects/p/state', { routing: { active_probe: 'root-cause-depth' } });
    const { body } = await say(forge, 'We lose customers.');
    expect(body.status).toBe('completed');
    expect(body.routing.next_probe).toBe('root-cause-depth');
    expect(body.routing.notes.length).toBeGreaterThan(0);
  });

  it('goes on with retrieval when the router gives nonsense, and says so', async () => {
    const { forge } = await start(
      () => ({ text: 'Tell me more.' }),
      () => ({ text: 'I would rather not say.' }),
    );
    const { body } = await say(forge, 'We lose customers.');
    expect(body).toMatchObject({
      status: 'completed',
      routing: { source: 'fallback', requires_retrieval: true },
    });
  });

  it('answers the model that calls a tool with garbage, and goes on', async () => {
    const { forge, anthropic } = await start((_request, index) =>
      index === 0
        ? {
            toolCalls: [
              { name: 'update_skeleton', rawInput: '{"field": "decision_ma' },
              { name: 'register_assumption', input: { statement: 7, depends_on: ['a99'] } },
              { name: 'drop_database', input: {} },
            ],
          }
        : { text: 'Understood.' },
    );
    const { body } = await say(forge, 'We lose customers.');
    expect(body).toMatchObject({ status: 'completed', response: 'Understood.', state_changes: [] });
    const second = anthropic.requests.filter((request) => request.tools)[1];
    const results = JSON.stringify(second?.messages.at(-1));
    expect(results.match(/"is_error":true/g)).toHaveLength(3);
  });

  it('keeps the message when the model fails for good, and retries the turn under its number', async () => {
    let broken = true;
    const { forge } = await start(() =>
      broken ? { status: 400, message: 'secret internal words' } : { text: 'Here I am again.' },
    );
    const { status, body } = await say(forge, 'Remember this sentence.');
    expect(status).toBeGreaterThanOrEqual(502);
    expect(body).toMatchObject({ turn_number: 1 });
    expect(JSON.stringify(body)).not.toContain('secret');
    const failed = (await forge.call('GET', '/projects/p/turns/1')).body;
    expect(failed).toMatchObject({ status: 'failed', message: 'Remember this sentence.' });
    broken = false;
    const retried = await forge.call('POST', '/projects/p/turns/1/retry');
    expect(retried.body).toMatchObject({
      turn_number: 1,
      status: 'completed',
      attempt: 2,
      response: 'Here I am again.',
    });
    expect((await forge.call('POST', '/projects/p/turns/1/retry')).body.code).toBe('turn_not_retryable');
  });

  it('answers a refusal as one', async () => {
    const { forge } = await start(() => ({ text: '', stopReason: 'refusal' }));
    const { status, body } = await say(forge, 'We lose customers.');
    expect(status).toBe(502);
    expect(body.code).toBe('model_rejected');
  });
});

it('finds by words alone, and says so, when the embedding provider is down at query time', async () => {
  let down = false;
  const voyage = await startFakeVoyage({
    script: () => (down ? { kind: 'error', status: 400, detail: 'no' } : undefined),
  });
  closing.push(() => voyage.close());
  const settings = { VOYAGE_API_KEY: 'test-key', VOYAGE_BASE_URL: voyage.url };
  const forge = await startTestApp({
    settings,
    overrides: { embeddingModel: createEmbeddingModel(readConfig(settings)) },
  });
  closing.push(() => forge.close());
  await forge.call('POST', '/projects', { id: 'p', name: 'P' });
  await forge.upload('p', { 'notes.md': NOTES });
  down = true;
  const { body } = await forge.call('POST', '/projects/p/search', { query: 'Ilya' });
  expect(body.strategy).toBe('lexical_fallback');
  expect(body.data[0].text).toContain('Ilya is against it');
});

it('refuses to start on vectors of another model, and names the command', async () => {
  const first = await startTestApp();
  closing.push(() => first.db.close());
  await first.call('POST', '/projects', { id: 'p', name: 'P' });
  await first.upload('p', { 'notes.md': NOTES });
  const voyage = createEmbeddingModel(readConfig({ VOYAGE_API_KEY: 'k' }));
  const db = { ...first.db, close: async () => undefined };
  await expect(startTestApp({ overrides: { db, embeddingModel: voyage } })).rejects.toThrow(/forge reindex/);
  await first.app.close();
});
