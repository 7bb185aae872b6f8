import { describe, expect, it } from 'vitest';
import type { AnswerFacts, Message } from '../../../src/llm/model.ts';
import { calledIn } from '../../../src/llm/offline/calls.ts';
import { createOfflineModel } from '../../../src/llm/offline.ts';

const TOOLS = ['register_assumption', 'update_skeleton', 'document_outline'].map((name) => ({
  name,
  description: '',
  inputSchema: {},
}));

const facts = (extra: Partial<AnswerFacts>): AnswerFacts => ({
  task: 'answer',
  message: '',
  priming: false,
  action: 'probe',
  projectName: 'P',
  passages: [],
  coverage: null,
  recalledTurns: [],
  recentTurns: [],
  probe: null,
  patterns: [],
  stateLines: [],
  skeleton: [],
  assumptions: [],
  files: [],
  ...extra,
});

const model = createOfflineModel();
const generate = (extra: Partial<AnswerFacts>, messages: Message[] = [], rest = {}) =>
  model.generate({ system: [], messages, facts: facts(extra), tools: TOOLS, maxOutputTokens: 100, ...rest });
const inputs = async (extra: Partial<AnswerFacts>) =>
  (await generate(extra)).toolCalls.map(({ input }) => input);
const constraint = (value: string) => ({
  field: 'constraints' as const,
  title: 'Constraints',
  value,
  turnNumber: 1,
});

describe('recording by rule', () => {
  it('calls the state tools first, without a word, and replies when they have answered', async () => {
    const message = 'Our decision maker is Dana Reyes.';
    const first = await generate({ message });
    expect(first).toMatchObject({ text: '', stopReason: 'tool_use' });
    expect(first.toolCalls).toEqual([
      {
        type: 'tool_call',
        id: 'offline-1',
        name: 'update_skeleton',
        input: { field: 'decision_maker', value: 'Dana Reyes' },
      },
    ]);
    const second = await generate({ message }, [
      { role: 'assistant', content: first.parts },
      { role: 'user', content: [{ type: 'tool_result', id: 'offline-1', content: '{}', isError: false }] },
    ]);
    expect(second.toolCalls).toEqual([]);
    expect(second.text).toContain('Noted:\n- Decision maker: Dana Reyes');
  });

  it('does not claim to have noted what was refused', () => {
    const call = { type: 'tool_call' as const, id: 'offline-1', name: 'update_skeleton', input: {} };
    const result = { type: 'tool_result' as const, id: 'offline-1', content: 'Not done.', isError: true };
    const messages: Message[] = [
      { role: 'assistant', content: [call] },
      { role: 'user', content: [result] },
    ];
    expect(calledIn(messages).noted).toEqual([]);
  });

  it('calls nothing where it may not, nor tools that there are not', async () => {
    const message = 'Our decision maker is Dana Reyes.';
    expect((await generate({ message }, [], { toolChoice: 'none' })).toolCalls).toEqual([]);
    expect((await generate({ message }, [], { tools: [] })).toolCalls).toEqual([]);
  });

  it('keeps what a field has beside what joins it, and takes the place of what has its name', async () => {
    const message = 'The budget is 65 000 euros.';
    const skeleton = [constraint('No new vendor\nBudget: 80 000 euros')];
    expect(await inputs({ message, skeleton })).toEqual([
      { field: 'constraints', value: 'No new vendor\nBudget: 65 000 euros' },
    ]);
    const further = 'A constraint is that billing cannot change.';
    expect(await inputs({ message: further, skeleton })).toEqual([
      { field: 'constraints', value: 'No new vendor\nBudget: 80 000 euros\nbilling cannot change' },
    ]);
  });

  it('records nothing twice', async () => {
    expect(
      await inputs({
        message: 'The budget is 80 000 euros.',
        skeleton: [constraint('Budget: 80 000 euros')],
      }),
    ).toEqual([]);
    const message = 'We assume that legal agrees.';
    expect(await inputs({ message, assumptions: ['Legal agrees.'] })).toEqual([]);
  });

  it('reads the outline of a file that is asked about', async () => {
    const files = [{ filename: 'plan.md', summary: 'What is planned.' }];
    const first = await generate({ message: 'What is in plan.md?', files });
    expect(first.toolCalls).toMatchObject([{ name: 'document_outline', input: { filename: 'plan.md' } }]);
    const content =
      '<tool_result tool="document_outline">\nplan.md: ready, 120 tokens, 2 headings.\n- Plan (120 tokens; p1)\n  - June (60 tokens; p2)\n</tool_result>';
    const { text } = await generate({ message: 'What is in plan.md?', files }, [
      { role: 'assistant', content: first.parts },
      { role: 'user', content: [{ type: 'tool_result', id: 'offline-1', content, isError: false }] },
    ]);
    expect(text).toContain('plan.md has about 120 tokens');
    expect(text).toContain('What is planned.');
    expect(text).toContain('- Plan\n  - June');
  });
});
