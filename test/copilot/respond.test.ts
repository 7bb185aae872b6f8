import { describe, expect, it } from 'vitest';
import { emptyState } from '../../src/contract/state.ts';
import { assemble } from '../../src/copilot/assemble.ts';
import { buildPrompt } from '../../src/copilot/prompt.ts';
import { type AnswerEvent, respond } from '../../src/copilot/respond.ts';
import { executeStateTool, STATE_TOOL_DEFINITIONS } from '../../src/copilot/tools.ts';
import { type FakeReply, fakeLanguageModel } from '../fakes/language-model.ts';
import { assembleInput } from '../helpers/copilot.ts';

const BY = { turn: 4, now: new Date('2026-03-01T10:00:00Z') };
const REGISTER = {
  name: 'register_assumption',
  input: { statement: 'Sales will use it', confidence: 'guessed', impact: 'high' },
};

async function run(replies: FakeReply[], maxRounds = 4) {
  const model = fakeLanguageModel((_, call) => replies[call] ?? {});
  const events: AnswerEvent[] = [];
  const usages: number[] = [];
  const input = assembleInput();
  const answer = await respond({
    model,
    prompt: buildPrompt(assemble(input), input),
    tools: STATE_TOOL_DEFINITIONS,
    readTools: null,
    room: 0,
    state: emptyState(),
    turnNumber: BY.turn,
    now: () => BY.now,
    sourcesOf: () => [],
    terms: (round) => ({ final: round >= maxRounds, condensed: false, maxOutputTokens: 500 }),
    signal: new AbortController().signal,
    onEvent: (event) => events.push(event),
    onUsage: (usage) => usages.push(usage.inputTokens),
  });
  return { answer, model, events, usages };
}

describe('respond', () => {
  it('streams a plain answer', async () => {
    const { answer, events } = await run([{ text: 'Who signs the budget?' }]);
    expect(answer).toMatchObject({ text: 'Who signs the budget?', changes: [], stopReason: 'end_turn' });
    expect(events.map((event) => event.type)).toEqual(['answer.delta', 'answer.delta']);
  });

  it('goes on with a reply that was interrupted, and takes it as it is when there are no rounds left', async () => {
    const { answer, model } = await run([
      { text: 'The board', stopReason: 'pause' },
      { text: 'signs the budget.' },
    ]);
    expect(answer).toMatchObject({ text: 'The board\n\nsigns the budget.', stopReason: 'end_turn' });
    expect(model.requests[1]?.messages.slice(-2)).toEqual([
      { role: 'assistant', content: [{ type: 'text', text: 'The board' }] },
      { role: 'user', content: [{ type: 'text', text: '(You were interrupted. Go on.)', cache: true }] },
    ]);
    const last = await run([{ text: 'The board', stopReason: 'pause' }], 1);
    expect(last.answer).toMatchObject({ text: 'The board', stopReason: 'tool_use' });
    expect(last.model.requests).toHaveLength(1);
  });

  it('tells that a reply of thoughts alone was too long, and not that there was none', async () => {
    const thoughts = { text: '', stopReason: 'max_tokens' as const };
    await expect(run([thoughts, thoughts])).rejects.toThrow(/used up its limit of output tokens/);
    await expect(run([{ text: '' }, { text: '' }])).rejects.toThrow(/ended without an answer/);
  });

  it('runs several tool calls of a round in order, and tells the model what came of each', async () => {
    const { answer, model, events, usages } = await run([
      {
        text: 'Noted.',
        toolCalls: [
          REGISTER,
          {
            name: 'register_assumption',
            input: { ...REGISTER.input, statement: 'It is cheap', depends_on: ['a1'] },
          },
          { name: 'update_skeleton', input: { field: 'problem_statement', value: 'Leads go cold.' } },
        ],
      },
      { text: 'Who signs the budget?' },
    ]);
    expect(answer.text).toBe('Who signs the budget?');
    expect(answer.state.assumptions.map(({ id, depends_on }) => [id, depends_on])).toEqual([
      ['a1', []],
      ['a2', ['a1']],
    ]);
    expect(answer.state.skeleton.problem_statement?.turn).toBe(4);
    expect(answer.changes.map(({ change }) => change.tool)).toEqual([
      'register_assumption',
      'register_assumption',
      'update_skeleton',
    ]);
    const results = model.requests[1]?.messages.at(-1)?.content ?? [];
    expect(results.map((part) => part.type)).toEqual(['tool_result', 'tool_result', 'tool_result', 'text']);
    expect(events.filter(({ type }) => type === 'tool.returned')).toHaveLength(3);
    const reset = events.findIndex(({ type }) => type === 'answer.reset');
    const streamed = events
      .slice(reset)
      .flatMap((event) => (event.type === 'answer.delta' ? [event.data.text] : []));
    expect(reset).toBeGreaterThan(0);
    expect(streamed.join('')).toBe(answer.text);
    expect(usages).toEqual([100, 100]);
  });

  it('keeps what was said in front of the calls when nothing comes after them', async () => {
    const { answer, events } = await run([
      { text: 'Noted. Who signs?', toolCalls: [REGISTER] },
      { text: ' ' },
    ]);
    expect(answer).toMatchObject({ text: 'Noted. Who signs?', stopReason: 'end_turn' });
    expect(events.map(({ type }) => type)).not.toContain('answer.reset');
  });

  it('marks the end of every request but the last for the cache', async () => {
    const { model } = await run([{ toolCalls: [REGISTER] }, { toolCalls: [REGISTER] }, { text: 'Done.' }], 3);
    const marked = model.requests.map(({ messages }) =>
      messages
        .flatMap(({ content }) => content)
        .flatMap((part, at) => ('cache' in part && part.cache ? [at] : [])),
    );
    expect(marked.map((at) => at.length)).toEqual([2, 3, 0]);
  });

  it('ends after the last round, in which no tools may be called', async () => {
    const { answer, model } = await run(
      Array.from({ length: 9 }, (_, i) => ({
        text: `Part ${i}.`,
        toolCalls: [{ ...REGISTER, input: { ...REGISTER.input, statement: `Part ${i} is used` } }],
      })),
      3,
    );
    expect(model.requests.map(({ toolChoice }) => toolChoice)).toEqual([undefined, undefined, 'none']);
    expect(model.requests[2]?.tools).toHaveLength(5);
    expect(answer.state.assumptions).toHaveLength(2);
  });

  it('lets the model correct a refused call', async () => {
    const { answer, model } = await run([
      { toolCalls: [{ name: 'update_assumption', input: { id: 'a99', status: 'invalidated' } }] },
      { toolCalls: [REGISTER] },
      { text: 'Done.' },
    ]);
    expect(model.requests[1]?.messages.at(-1)?.content).toMatchObject([{ isError: true }]);
    expect(answer.changes).toHaveLength(1);
  });

  it('marks an answer that was cut off, and does not run its last calls', async () => {
    const { answer } = await run([{ text: 'It is', toolCalls: [REGISTER], stopReason: 'max_tokens' }]);
    expect(answer).toMatchObject({ text: 'It is', stopReason: 'max_tokens', changes: [] });
  });

  it('asks once more when the model changed the state and said nothing', async () => {
    const { answer, model } = await run([{ toolCalls: [REGISTER] }, { text: ' ' }, { text: 'Noted.' }]);
    expect(answer.text).toBe('Noted.');
    expect(answer.changes).toHaveLength(1);
    expect(model.requests).toHaveLength(3);
    const asked = model.requests[2]?.messages ?? [];
    expect(asked.at(-1)?.content.map((part) => part.type)).toEqual(['tool_result', 'text']);
  });

  it('sends a reply back whole, with the thoughts that were in it', async () => {
    const thought = {
      type: 'reasoning' as const,
      opaque: { type: 'thinking', thinking: '', signature: 's' },
    };
    const { model } = await run([
      { parts: [thought], text: 'Noted.', toolCalls: [REGISTER] },
      { text: 'Who?' },
    ]);
    const sent = model.requests[1]?.messages.at(-2);
    expect(sent?.role).toBe('assistant');
    expect(sent?.content.map((part) => part.type)).toEqual(['reasoning', 'text', 'tool_call']);
    expect(sent?.content[0]).toBe(thought);
  });

  it.each([
    ['model_rejected', [{ stopReason: 'refusal' as const, text: 'No.' }]],
    ['model_unavailable', [{ text: '' }, { text: '' }]],
  ])('fails with %s', async (code, replies) => {
    await expect(run(replies)).rejects.toMatchObject({ code });
  });

  it('refuses calls beyond any reason', async () => {
    const { answer, events } = await run([
      { text: 'x', toolCalls: Array.from({ length: 60 }, () => REGISTER) },
      { text: 'y' },
    ]);
    expect(answer.changes).toHaveLength(24);
    expect(events.filter((event) => event.type === 'tool.returned' && event.data.is_error)).toHaveLength(36);
  });
});

describe('executeStateTool', () => {
  it.each([
    ['no such tool', 'drop_database', {}],
    ['a prototype key', '__proto__', {}],
    ['no object', 'register_assumption', 'please'],
    ['null', 'register_assumption', null],
    ['a broken JSON text', 'update_skeleton', '{"field": "prob'],
    ['an unknown field', 'update_skeleton', { field: 'shoe_size', value: '43' }],
    ['an unknown member', 'register_assumption', { ...REGISTER.input, admin: true }],
    ['a number for a text', 'update_org_context', { text: 7 }],
    ['an unknown probe', 'complete_probe', { probe: 'constructor' }],
    ['an unknown dependency', 'register_assumption', { ...REGISTER.input, depends_on: ['a5'] }],
    ['nothing to change', 'update_assumption', { id: 'a1' }],
  ])('answers %s with an error result, and leaves the state as it is', (_, name, input) => {
    const state = emptyState();
    const outcome = executeStateTool(state, { name, input }, BY);
    expect(outcome).toMatchObject({ isError: true, made: null });
    expect(outcome.state).toBe(state);
    expect(outcome.content).toMatch(/^Not done\. .{10}/);
  });

  it('says which tools there are to a model that invents one', () => {
    const { content } = executeStateTool(emptyState(), { name: 'save_note', input: {} }, BY);
    for (const { name } of STATE_TOOL_DEFINITIONS) expect(content).toContain(name);
  });

  it('offers exactly what it can run, in JSON Schema', () => {
    expect(STATE_TOOL_DEFINITIONS.map(({ name }) => name)).toEqual([
      'register_assumption',
      'update_assumption',
      'update_skeleton',
      'update_org_context',
      'complete_probe',
    ]);
    for (const { inputSchema } of STATE_TOOL_DEFINITIONS) {
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    }
  });

  it('keeps what cannot be stored out of the state', () => {
    const input = { ...REGISTER.input, statement: 'Sales\u0000 will \ud800use it' };
    const { state } = executeStateTool(emptyState(), { name: 'register_assumption', input }, BY);
    expect(state.assumptions[0]?.statement).toBe('Sales will \ufffduse it');
  });
});
