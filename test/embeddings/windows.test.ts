import { describe, expect, it } from 'vitest';
import { splitWindows } from '../../src/embeddings/windows.ts';

/** A piece for every four characters. */
const pieces = (word: string): number => Math.ceil(word.length / 4);
const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

describe('splitWindows', () => {
  it('keeps a text that fits in one window', () => {
    expect(splitWindows(' one  two\tthree ', 128, pieces)).toEqual([
      { text: 'one two three', length: 4, weight: 4 },
    ]);
  });

  it('gives every word to exactly one window, none over the limit', () => {
    const text = Array.from({ length: 500 }, (_, i) => `word${'x'.repeat(i % 9)}${i}`).join(' ');
    const windows = splitWindows(text, 20, pieces);
    expect(windows.flatMap((window) => words(window.text))).toEqual(words(text));
    for (const [index, window] of windows.entries()) {
      const count = words(window.text).reduce((sum, word) => sum + pieces(word), 0);
      expect(count).toBeLessThanOrEqual(20);
      expect(window.weight).toBeCloseTo(count / (index + 1), 10);
    }
  });

  it('begins every window with a short first line, which weighs nothing', () => {
    const windows = splitWindows(`Title here\n${'abcd '.repeat(30)}`, 20, pieces);
    expect(windows.map((window) => window.text.startsWith('Title here abcd'))).toEqual([true, true]);
    expect(windows.map((window) => window.weight)).toEqual([17, 13 / 2]);
  });

  it('takes a long first line for text, and a lone one too', () => {
    const [first] = splitWindows(`${'abcd '.repeat(10)}\nrest`, 20, pieces);
    expect(first).toEqual({ text: `${'abcd '.repeat(10)}rest`, length: 11, weight: 11 });
    expect(splitWindows('Title\n', 20, pieces)).toEqual([{ text: 'Title', length: 2, weight: 2 }]);
  });

  it('cuts words that are too long, never inside a character', () => {
    const windows = splitWindows('😀'.repeat(100), 20, (word) => [...word].length / 4);
    expect(windows.map((window) => words(window.text).map((word) => [...word].length))).toEqual([
      [40, 40],
      [20],
    ]);
  });

  it('has no window for a text without words', () => {
    expect(splitWindows('', 128, pieces)).toEqual([]);
    expect(splitWindows(' \n\t ', 128, pieces)).toEqual([]);
  });
});
