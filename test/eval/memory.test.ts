import { describe, expect, it } from 'vitest';
import { judge, says } from '../../eval/memory/conversation.ts';
import { loadConversation } from '../../eval/memory/load.ts';
import { evaluateMemory, formatMemoryEval } from '../../eval/memory/run.ts';

const { turns, facts, questions } = loadConversation();
const messageOf = (turn: number): string => turns[turn - 1]?.user ?? '';

describe('the scripted conversation', () => {
  it('has 60 turns, and 40 facts or more that are stated at 1 to 50', () => {
    expect(turns).toHaveLength(60);
    expect(facts.length).toBeGreaterThanOrEqual(40);
    expect(new Set(facts.map(({ id }) => id)).size).toBe(facts.length);
    expect(facts.filter(({ turn }) => turn > 50)).toEqual([]);
  });

  it('asks for each fact that still holds, once', () => {
    const holding = facts.filter(({ revised_by }) => revised_by === undefined).map(({ id }) => id);
    expect(questions.map(({ fact }) => fact).sort()).toEqual([...holding].sort());
  });

  it('states each fact in the words that its answer must have', () => {
    for (const question of questions) {
      const fact = facts.find(({ id }) => id === question.fact);
      expect(judge(question, messageOf(fact?.turn ?? 0)), question.fact).toBe('right');
    }
  });

  it('corrects a fact later, to another value', () => {
    const revised = facts.filter(({ revised_by }) => revised_by !== undefined);
    expect(revised.length).toBeGreaterThanOrEqual(3);
    for (const old of revised) {
      const fresh = facts.find(({ id }) => id === old.revised_by);
      const question = questions.find(({ fact }) => fact === old.revised_by);
      expect(fresh?.turn, old.id).toBeGreaterThan(old.turn);
      expect(question && judge(question, messageOf(old.turn)), old.id).toBe('outdated');
    }
  });

  it('answers none of its questions in the last three turns, which are always sent', () => {
    const window = turns.slice(-3).map(({ user, reply }) => `${user}\n${reply}`);
    const answered = questions.filter((question) => window.some((turn) => judge(question, turn) === 'right'));
    expect(answered.map(({ fact }) => fact)).toEqual([]);
  });
});

describe('finding a text in an answer', () => {
  it('takes a number as a whole', () => {
    expect(says('It is 1.4 million kroner.', '1.4 million')).toBe(true);
    expect(says('It is 11.4 million kroner.', '1.4 million')).toBe(false);
    expect(says('There are 140.', '14')).toBe(false);
    expect(says('There are 14,000.', '14')).toBe(false);
    expect(says('There are 14.', '14')).toBe(true);
    expect(says('What happened?', 'app')).toBe(false);
    expect(says('ON THE FIRST\nThursday', 'first Thursday')).toBe(true);
  });
});

describe('the figures of an evaluation', () => {
  const conversation = {
    turns: [],
    facts: [
      { id: 'fleet', turn: 1, statement: '' },
      { id: 'audit', turn: 12, statement: '' },
    ],
    questions: [
      { fact: 'fleet', question: '', any: [['14']], outdated: [] },
      { fact: 'audit', question: '', any: [['20 November']], outdated: ['1 May'] },
    ],
  };
  const section = (name: 'retrieved_turns' | 'routing_context' | 'core_instructions', text: string) => ({
    name,
    text,
    tokens: 1,
    items: [],
  });

  it('tell where a fact stands in its prompt, by the turn that states it, and what was replied', () => {
    const result = evaluateMemory(conversation, [
      { sections: [section('retrieved_turns', '14'), section('routing_context', '14')], reply: '14 ferries' },
      { sections: [section('core_instructions', '20 November')], reply: 'on 1 May' },
    ]);
    expect(result).toMatchObject({
      questions: 2,
      inPrompt: 1,
      places: { window: 0, recalled: 1, summary: 1, state: 0 },
      replies: { right: 1, outdated: 1, missing: 0 },
      spans: [
        { from: 1, to: 10, questions: 1, inPrompt: 1 },
        { from: 11, to: 20, questions: 1, inPrompt: 0 },
      ],
    });
    expect(formatMemoryEval(result)).toContain('in no prompt: audit');
  });
});
