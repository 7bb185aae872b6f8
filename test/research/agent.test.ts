import { expect, it } from 'vitest';
import { type AgentInput, runAgent } from '../../src/research/agent.ts';
import { type FakeReply, fakeLanguageModel } from '../fakes/language-model.ts';

/** Lets the agent answer with a model that replies so. */
function answered(...replies: FakeReply[]) {
  const input: AgentInput = {
    model: fakeLanguageModel((_, call) => replies[call] ?? {}),
    system: [],
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Why?' }] }],
    facts: { task: 'research', question: 'Why?', tools: [], files: [], stateLines: [] },
    tools: {
      definitions: [],
      canonical: ({ input }) => input,
      run: () => expect.unreachable(),
    },
    room: 1_000,
    terms: (step) => ({ final: step === 5, condensed: false, maxOutputTokens: 100 }),
    signal: new AbortController().signal,
    onEvent: () => undefined,
    onStep: () => undefined,
    onUsage: () => undefined,
  };
  return runAgent(input);
}

it('says that an answer was cut off', async () => {
  expect(await answered({ text: 'Because', stopReason: 'max_tokens' })).toMatchObject({
    status: 'completed',
    answer: 'Because',
    stopReason: 'max_tokens',
  });
});

it('does not take what stands in front of calls that were cut off for a whole answer', async () => {
  const cut = {
    text: 'Let me look.',
    toolCalls: [{ name: 'x', input: {} }],
    stopReason: 'max_tokens',
  } as const;
  expect(await answered({ ...cut, toolCalls: [...cut.toolCalls] })).toMatchObject({
    status: 'step_limit_reached',
    stopReason: 'max_tokens',
  });
});
