import { describe, expect, it } from 'vitest';
import { claudeModel, leastOutput, outputRoom, tokenFactorOf } from '../../src/llm/models.ts';

describe('the table of models', () => {
  it('finds a model under its dated name too', () => {
    expect(claudeModel('claude-haiku-4-5-20251001')).toBe(claudeModel('claude-haiku-4-5'));
    expect(claudeModel('claude-haiku-5-5')?.maxOutput).toBe(128_000);
    expect(claudeModel('claude-next')).toBeUndefined();
    expect(claudeModel('constructor')).toBeUndefined();
  });

  it('starts from more tokens for the newer vocabulary, and from the same for what it does not know', () => {
    expect(
      ['claude-sonnet-5-5', 'claude-haiku-5-5', 'claude-sonnet-4-5', 'offline'].map(tokenFactorOf),
    ).toEqual([1.3, 1.3, 1, 1]);
  });

  it('leaves room for thoughts where a model has them, and where that is not known', () => {
    expect(outputRoom('claude-haiku-4-5', 500)).toBe(500);
    expect(outputRoom('claude-haiku-5-5', 500)).toBe(4_650);
    expect(outputRoom('claude-next', 500)).toBe(4_500);
  });

  it('needs more for any reply of a model that thinks, and of one that may', () => {
    expect(['claude-sonnet-4-6', 'claude-sonnet-5-5', 'claude-next'].map(leastOutput)).toEqual([
      256, 1_357, 1_280,
    ]);
  });
});
