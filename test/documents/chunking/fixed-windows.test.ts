import { describe, expect, it } from 'vitest';
import { chunkingSchema } from '../../../src/contract/chunking.ts';
import { chunkDocument } from '../../../src/documents/chunking/chunk.ts';
import { parseDocument } from '../../helpers/parse-document.ts';
import { paragraphs } from '../../helpers/prose.ts';

const chunk = (markdown: string, sizes = {}) =>
  chunkDocument(parseDocument({ text: markdown, format: 'markdown' }), {
    filename: 'f.md',
    chunking: chunkingSchema.parse({ strategy: 'fixed', ...sizes }),
  });

describe('chunkDocument: fixed', () => {
  it('takes windows of 1,500 characters that overlap by 200, each its own parent', () => {
    const markdown = `# A\n\n${paragraphs(1, 12)}`;
    const { leaves, parents } = chunk(markdown);
    leaves.forEach((leaf, i) => {
      expect(leaf.charStart).toBe(i * 1_300);
      expect(leaf.charEnd).toBe(Math.min(markdown.length, leaf.charStart + 1_500));
      expect(leaf.text).toBe(markdown.slice(leaf.charStart, leaf.charEnd));
      expect(leaf.headerPath).toEqual(['A']);
      expect(parents[i]).toMatchObject({ id: leaf.parentId, text: leaf.text });
    });
    expect(leaves.at(-1)?.charEnd).toBe(markdown.length);
  });

  it('cuts no character in two', () => {
    const markdown = `x${'👍'.repeat(500)}`;
    const { leaves } = chunk(markdown, { chunk_chars: 100, overlap_chars: 9 });
    expect(leaves.every(({ text }) => text.isWellFormed())).toBe(true);
    expect(leaves.at(-1)?.charEnd).toBe(markdown.length);
  });

  it.each([
    ['families', '👩‍👩‍👧‍👦'],
    ['letters with accents', 'e\u0301\u0323'],
    ['ends of lines', 'a\r\n'],
  ])('cuts between %s', (_, character) => {
    const markdown = `x${character.repeat(400)}`;
    const borders = chunk(markdown, { chunk_chars: 100, overlap_chars: 50 }).leaves.flatMap((leaf) => [
      leaf.charStart,
      leaf.charEnd,
    ]);
    const starts = new Set([...new Intl.Segmenter().segment(markdown)].map(({ index }) => index));
    expect(borders.filter((at) => !starts.has(at) && at !== markdown.length)).toEqual([]);
  });

  it('goes on in a text that is one character', () => {
    const markdown = `x${'\u0301'.repeat(5_000)}`;
    const { leaves } = chunk(markdown, { chunk_chars: 100, overlap_chars: 50 });
    expect(leaves.at(-1)?.charEnd).toBe(markdown.length);
  });

  it('leaves out windows of white space', () => {
    expect(chunk(`a${' '.repeat(1_000)}b`, { chunk_chars: 100, overlap_chars: 0 }).leaves).toHaveLength(2);
  });
});

describe('chunkingSchema', () => {
  it('fills in the defaults', () => {
    expect(chunkingSchema.parse({ strategy: 'fixed' })).toEqual({
      strategy: 'fixed',
      chunk_chars: 1_500,
      overlap_chars: 200,
    });
    expect(chunkingSchema.parse({ strategy: 'hierarchical', leaf_max_tokens: 400 })).toEqual({
      strategy: 'hierarchical',
      leaf_min_tokens: 100,
      leaf_max_tokens: 400,
      parent_max_tokens: 2_000,
    });
  });

  it.each([
    [{ strategy: 'other' }, 'strategy'],
    [{ strategy: 'fixed', chunk_chars: 100, overlap_chars: 51 }, 'overlap_chars'],
    [{ strategy: 'hierarchical', leaf_min_tokens: 600 }, 'leaf_min_tokens'],
    [{ strategy: 'hierarchical', leaf_max_tokens: 3_000 }, 'leaf_max_tokens'],
    [{ strategy: 'hierarchical', leaf_max_tokens: 500.5 }, 'leaf_max_tokens'],
  ])('refuses %j and names %s', (value, field) => {
    const issues = chunkingSchema.safeParse(value).error?.issues ?? [];
    expect(issues.map(({ path }) => path.join('.'))).toContain(field);
  });
});
