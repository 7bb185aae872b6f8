import { describe, expect, it } from 'vitest';
import { judge, says } from '../../eval/memory/conversation.ts';
import { loadConversation } from '../../eval/memory/load.ts';

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
