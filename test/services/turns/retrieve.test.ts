import { describe, expect, it } from 'vitest';
import { conversationSummary } from '../../../src/services/turns/finish.ts';
import { preferFiles } from '../../../src/services/turns/retrieve.ts';
import { passage } from '../../helpers/copilot.ts';

describe('preferFiles', () => {
  const passages = [
    passage('a', 'A', { score: 0.9 }),
    passage('b', 'B', { score: 0.8 }),
    passage('c', 'C', { score: 0.3 }),
  ];
  const names = (files: string[], limit = 3) =>
    preferFiles(passages, files, limit).map(({ parent_id }) => parent_id);

  it('keeps the order of the scores without a file in question', () => {
    expect(names([])).toEqual(['a', 'b', 'c']);
  });

  it('puts a file in question ahead of an equal one, not ahead of a far better one', () => {
    expect(names(['b.md'])).toEqual(['b', 'a', 'c']);
    expect(names(['c.md'])).toEqual(['a', 'b', 'c']);
  });

  it('gives no more than were asked for', () => {
    expect(names([], 2)).toEqual(['a', 'b']);
  });
});

describe('conversationSummary', () => {
  it('keeps the newest summaries that fit, oldest first', () => {
    const summaries = Array.from({ length: 12 }, (_, i) => ({ turnNumber: i + 1, summary: 'x'.repeat(600) }));
    const lines = conversationSummary(summaries).split('\n');
    expect(lines.map((line) => line.slice(0, 8).trim())).toEqual(['Turn 10:', 'Turn 11:', 'Turn 12:']);
    expect(conversationSummary([])).toBe('');
  });
});
