import { describe, expect, it } from 'vitest';
import { condenseByRules } from '../../../src/llm/offline/condense.ts';
import { createOfflineModel } from '../../../src/llm/offline.ts';
import { countTokens } from '../../../src/text/tokens.ts';

const exchange = (turnNumber: number, message: string, response = '') => ({ turnNumber, message, response });

describe('condenseByRules', () => {
  it('keeps what has names, numbers and decisions, and drops courtesies and questions', () => {
    const exchanges = [
      exchange(
        1,
        'Thanks, that helps a lot. Marta Ruiz owns the budget of 250 k EUR. Does that help?',
        'Good to know. 1. Who signs above that?\n2. By when?',
      ),
      exchange(2, 'All right.', 'Glad to hear it.'),
    ];
    expect(condenseByRules({ previous: '', exchanges, maxTokens: 600 })).toBe(
      'Turn 1: Marta Ruiz owns the budget of 250 k EUR.',
    );
  });

  it('goes on from the summary before, whoever wrote it', () => {
    const previous = 'Turn 1: Marta Ruiz owns 250 k EUR.\n- The pilot is in Lisbon.';
    const summary = condenseByRules({
      previous,
      exchanges: [exchange(5, 'The fine was 180,000 kroner.')],
      maxTokens: 600,
    });
    expect(summary).toBe(`${previous}\nTurn 5: The fine was 180,000 kroner.`);
  });

  it('keeps statements in a script without capitals', () => {
    const exchanges = [exchange(1, '预算由财务部门决定。谁同意？')];
    const summary = condenseByRules({ previous: '', exchanges, maxTokens: 600 });
    expect(summary).toBe('Turn 1: 预算由财务部门决定。');
  });

  it('is bounded, and what is worth least goes first', () => {
    const filling = Array.from({ length: 80 }, (_, at) =>
      exchange(at + 2, `It was not so easy on some days.`),
    );
    const exchanges = [exchange(1, 'Marta Ruiz owns 250 k EUR since 14 May.'), ...filling];
    const summary = condenseByRules({ previous: '', exchanges, maxTokens: 200 });
    expect(countTokens(summary)).toBeLessThanOrEqual(200);
    expect(summary).toContain('Turn 1: Marta Ruiz owns 250 k EUR since 14 May.');
    expect(summary).toContain('Turn 81:');
    expect(summary).not.toContain('Turn 2:');
  });

  it.each([
    '',
    'x'.repeat(30_000),
    '😀'.repeat(5_000),
    '预算在第三季度被削减了2次。'.repeat(500),
    '1. '.repeat(3_000),
    '\n'.repeat(9_000),
  ])('bears %#', (text) => {
    const summary = condenseByRules({ previous: text, exchanges: [exchange(1, text, text)], maxTokens: 300 });
    expect(countTokens(summary)).toBeLessThanOrEqual(300);
  });

  it('is what the offline model says', async () => {
    const facts = { previous: '', exchanges: [exchange(1, 'It is 250 k EUR.')], maxTokens: 600 };
    const { text } = await createOfflineModel().generate({
      system: [],
      messages: [],
      facts: { task: 'summarise', kind: 'conversation', ...facts },
      maxOutputTokens: 900,
    });
    expect(text).toBe('Turn 1: It is 250 k EUR.');
  });
});
