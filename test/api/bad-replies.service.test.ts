import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ScriptedReply } from '../fakes/anthropic-message.ts';
import type { Scripted } from '../fakes/anthropic-server.ts';
import { isAnswering, ROUTE, startKeyedApp } from '../helpers/keyed-app.ts';
import { parseEvents, type ReceivedEvent } from '../helpers/sse.ts';

// Replies that are not as they should be: each turn ends clearly, keeps its message, and is charged for what was used.

let answer: (index: number) => Scripted;
let route: Scripted;
let answers = 0;
let app: Awaited<ReturnType<typeof startKeyedApp>>;
beforeAll(async () => {
  // a turn may take twice two seconds
  const settings = { MODEL_TIMEOUT_SECONDS: '2', MAX_TOOL_ROUNDS: '2' };
  app = await startKeyedApp(
    () => answer(answers++),
    () => route,
    settings,
  );
});
afterAll(() => app.close());
beforeEach(() => {
  answers = 0;
  route = { json: ROUTE };
});

const MESSAGE = 'Remember this sentence.';
const REGISTER = {
  name: 'register_assumption',
  input: { statement: 'Dana decides', confidence: 'guessed', impact: 'high' },
};

/** A turn as a stream, with what is stored of it, and the reply as its events have it. */
async function say() {
  const { text } = await app.forge.call(
    'POST',
    '/projects/p/turns',
    { message: MESSAGE },
    { accept: 'text/event-stream' },
  );
  const events = parseEvents(text);
  const last = events.at(-1) as ReceivedEvent;
  const number = events[0]?.data.turn_number;
  const { body: turn } = await app.forge.call('GET', `/projects/p/turns/${number}`);
  const said = (name: string) =>
    events.flatMap(({ event, data }) => (event === name ? [data.text] : [])).join('');
  expect(turn.message).toBe(MESSAGE);
  return { events, last, turn, said };
}

/** The blocks of the last request to the large model, from the reply on that came before it. */
const sentBack = () =>
  app.anthropic.requests
    .filter(isAnswering)
    .at(-1)
    ?.messages.slice(-2)
    .flatMap(({ content }) => (typeof content === 'string' ? [] : content));

describe('a reply that breaks off', () => {
  it.each(['cut', 'overloaded', 'broken_json', 'silence'] as const)(
    'keeps what was said in its events, and is charged for what it was begun with: %s',
    async (ending) => {
      answer = () => ({ text: ['Half an '], ending });
      const { last, turn, said } = await say();
      expect(last).toMatchObject({
        event: 'turn.failed',
        data: { status: 503, code: 'model_unavailable', retryable: true },
      });
      expect(said('answer.delta')).toBe('Half an ');
      expect(turn).toMatchObject({ status: 'failed', usage: { by_phase: { answer: { calls: 1 } } } });
      expect(turn.usage.by_phase.answer.input_tokens).toBeGreaterThan(1_000);
      expect(turn.usage.cost_usd).toBeGreaterThan(0);
    },
  );

  it('in a later round keeps what every round has used, and changes nothing of the state', async () => {
    answer = (index) =>
      index === 0 ? { text: 'Noted. ', toolCalls: [REGISTER] } : { text: ['Half an '], ending: 'cut' };
    const before = (await app.forge.call('GET', '/projects/p/state')).body.assumptions;
    const { last, turn, said } = await say();
    expect(last).toMatchObject({ event: 'turn.failed', data: { code: 'model_unavailable' } });
    expect(said('answer.delta')).toContain('Half an ');
    expect(turn.usage.by_phase.answer.calls).toBe(2);
    expect((await app.forge.call('GET', '/projects/p/state')).body.assumptions).toEqual(before);
    // it can be read again, long after
    const events = await app.forge.call('GET', `/projects/p/turns/${turn.turn_number}/events`, undefined, {
      accept: 'text/event-stream',
    });
    expect(events.text).toContain('Half an ');
  });

  it('is broken off when the model thinks for longer than a turn may take, though it is never silent', async () => {
    answer = () => ({ thinking: ['Let me see.'], ending: 'pondering' });
    const { last, turn, said } = await say();
    expect(last).toMatchObject({
      event: 'turn.failed',
      data: { code: 'model_unavailable', retryable: true },
    });
    expect(last.data.detail).toContain('took too long');
    expect(said('reasoning.delta')).toBe('Let me see.');
    expect(turn.usage.by_phase.answer).toMatchObject({ calls: 1, output_tokens: 1 });
  });

  it('of the router leaves its turn without a route, and is charged for', async () => {
    route = { text: '{"next_probe": "stakehol', stopReason: 'max_tokens' };
    answer = () => ({ text: 'Who decides?' });
    const { turn } = await say();
    expect(turn).toMatchObject({ status: 'completed', routing: { source: 'fallback' } });
    expect(turn.usage.by_phase.route.input_tokens).toBeGreaterThan(0);
  });
});

describe('a reply with nothing in it', () => {
  it('is asked for once more', async () => {
    answer = (index) => ({ text: index === 0 ? '' : 'Here it is.' });
    expect((await say()).turn).toMatchObject({
      response: 'Here it is.',
      usage: { by_phase: { answer: { calls: 2 } } },
    });
  });

  it.each([
    ['end_turn', 'ended without an answer'],
    ['max_tokens', 'limit of output tokens'],
  ])('fails its turn when it comes twice (%s), and both calls are charged', async (stopReason, detail) => {
    answer = () => ({ thinking: ['Hm.'], stopReason });
    const { last, turn } = await say();
    expect(last).toMatchObject({ event: 'turn.failed', data: { status: 503, code: 'model_unavailable' } });
    expect(last.data.detail).toContain(detail);
    expect(turn.usage.by_phase.answer.calls).toBe(2);
  });

  it('is a refusal where the model says so, and is charged', async () => {
    answer = () => ({ text: '', stopReason: 'refusal' });
    const { last, turn } = await say();
    expect(last).toMatchObject({ event: 'turn.failed', data: { status: 502, code: 'model_rejected' } });
    expect(turn.usage.by_phase.answer.calls).toBe(1);
  });
});

it('of which the model thinks better in the middle is a refusal, whose tokens are charged', async () => {
  answer = () => ({ text: 'First you', stopReason: 'refusal' });
  const { last, turn } = await say();
  expect(last).toMatchObject({ event: 'turn.failed', data: { status: 502, code: 'model_rejected' } });
  expect(turn).toMatchObject({ status: 'failed', response: null, citations: [] });
  expect(turn.usage.by_phase.answer).toMatchObject({ calls: 1, output_tokens: expect.any(Number) });
  expect(turn.usage.by_phase.answer.output_tokens).toBeGreaterThan(0);
});

describe('a reply with more in it than is known', () => {
  const rest = { text: 'Noted.', toolCalls: [REGISTER] };
  it.each<[string, ScriptedReply, string[]]>([
    [
      'hidden thoughts, which go back all the same',
      { thinking: [{ redacted: 'b3BhcXVl' }], ...rest },
      ['redacted_thinking', 'text', 'tool_use', 'tool_result', 'text'],
    ],
    [
      'a block of an unknown type, which does not',
      { ...rest, unknownBlock: { type: 'hologram', text: 'b3BhcXVl' } },
      ['text', 'tool_use', 'tool_result', 'text'],
    ],
  ])('is shown without %s', async (_, reply, back) => {
    answer = (index) => (index === 0 ? reply : { text: 'Who decides?', unknownBlock: { type: 'hologram' } });
    const { events, turn } = await say();
    expect(turn).toMatchObject({ status: 'completed', response: 'Who decides?' });
    expect(JSON.stringify([events, turn])).not.toContain('b3BhcXVl');
    expect(sentBack()?.map(({ type }) => type)).toEqual(back);
  });

  it.each<[string, object]>([
    ['input that breaks off', { name: 'update_skeleton', rawInput: '{"field": "decision_ma' }],
    ['a text for input', { name: 'update_skeleton', rawInput: '"decision_maker: Dana"' }],
    ['a list for input', { name: 'update_skeleton', rawInput: '["decision_maker", "Dana"]' }],
    ['a tool that does not exist', { name: 'drop_database', input: {} }],
  ])('tells the model what is wrong with a call with %s, and goes on', async (_, call) => {
    answer = (index) => (index === 0 ? { toolCalls: [call as { name: string }] } : { text: 'Understood.' });
    const { events, turn } = await say();
    expect(turn).toMatchObject({ status: 'completed', response: 'Understood.', state_changes: [] });
    expect(events.find(({ event }) => event === 'tool.returned')?.data).toMatchObject({
      is_error: true,
      content: expect.stringMatching(/^Not done\. /),
    });
  });

  it('makes ten calls at once, in their order', async () => {
    const calls = Array.from({ length: 10 }, (_, i) => ({
      ...REGISTER,
      input: { ...REGISTER.input, statement: `Assumption ${i}` },
    }));
    answer = (index) => (index === 0 ? { toolCalls: calls } : { text: 'Noted.' });
    const { turn } = await say();
    expect(turn.state_changes.map(({ statement }: { statement: string }) => statement)).toEqual(
      calls.map(({ input }) => input.statement),
    );
    expect(sentBack()?.filter(({ type }) => type === 'tool_result')).toHaveLength(10);
  });
});

describe('a reply that the provider interrupts', () => {
  it('is gone on with', async () => {
    answer = (index) =>
      index === 0 ? { thinking: ['Hm.'], text: 'The board', stopReason: 'pause_turn' } : { text: 'decides.' };
    expect((await say()).turn).toMatchObject({
      status: 'completed',
      response: 'The board\n\ndecides.',
      stop_reason: 'end_turn',
    });
  });

  it('is kept as it is when the turn has no rounds left', async () => {
    answer = () => ({ text: 'The board', stopReason: 'pause_turn' });
    expect((await say()).turn).toMatchObject({
      response: 'The board\n\nThe board',
      stop_reason: 'tool_use',
      usage: { by_phase: { answer: { calls: 2 } } },
    });
  });
});
