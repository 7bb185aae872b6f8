import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { chunkingSchema } from '../../../src/contract/chunking.ts';
import { breadcrumb } from '../../../src/documents/chunking/breadcrumbs.ts';
import { chunkDocument } from '../../../src/documents/chunking/chunk.ts';
import { parseDocument } from '../../helpers/parse-document.ts';
import { paragraphs, prose } from '../../helpers/prose.ts';

const chunking = chunkingSchema.parse({ strategy: 'hierarchical' });
const chunk = (markdown: string, filename = 'report.md') =>
  chunkDocument(parseDocument({ text: markdown, format: 'markdown' }), { filename, chunking });
const ids = (parts: readonly { id: string }[]) => parts.map(({ id }) => id);

describe('ids', () => {
  const markdown = `# A\n\n${paragraphs(1, 30)}\n\n# B\n\n${paragraphs(2, 3)}\n`;

  it('follow from file name and content', () => {
    expect(chunk(markdown)).toEqual(chunk(markdown));
    const { leaves, parents } = chunk(markdown);
    for (const { id } of leaves) expect(id).toMatch(/^leaf_[0-9a-f]{24}$/);
    for (const { id } of parents) expect(id).toMatch(/^par_[0-9a-f]{24}$/);
    const others = new Set(ids(chunk(markdown, 'other.md').leaves));
    expect(ids(leaves).filter((id) => others.has(id))).toEqual([]);
  });

  it('are told apart where a text comes twice', () => {
    const same = `## Same\n\n${prose(1, 20)}\n\n`;
    const { leaves, parents } = chunk(same.repeat(3));
    expect(leaves).toHaveLength(3);
    expect(new Set(ids(leaves)).size).toBe(3);
    expect(new Set(ids(parents)).size).toBe(3);
    expect(new Set(leaves.map(({ contentHash }) => contentHash)).size).toBe(1);
    expect(ids(chunk(same.repeat(4)).leaves).slice(0, 3)).toEqual(ids(leaves));
  });

  it('hash what is embedded', () => {
    for (const leaf of chunk(markdown).leaves) {
      const hash = createHash('sha256').update(`${leaf.breadcrumb}\n\n${leaf.text}`).digest('hex');
      expect(leaf.contentHash).toBe(hash);
    }
  });
});

describe('an edit', () => {
  /** 300 pages or so: about 130,000 words. */
  const parts = Array.from(
    { length: 60 },
    (_, chapter) => `## Chapter ${chapter}\n\n${paragraphs(chapter, 45)}\n\n`,
  );
  const plain = Array.from({ length: 60 }, (_, chapter) => `${paragraphs(chapter, 45)}\n\n`);

  it.each([
    ['with headings', parts],
    ['without headings', plain],
  ])('of one paragraph in a long document %s changes a few leaves and one or two parents', (_, chapters) => {
    const before = chunk(chapters.join(''));
    const known = new Set([...ids(before.leaves), ...ids(before.parents)]);
    expect(before.leaves.length).toBeGreaterThan(900);
    for (const chapter of [1, 23, 40]) {
      const edits = [
        (text: string) => text.replace(/\n\n(\w+ \w+)/, '\n\n$1 really'),
        (text: string) => text.replace(/\. \w+/, `. ${prose(9, 6)} Also`),
        (text: string) => text.replace(/\n\n[A-Z][^\n]*\n\n[A-Z][^\n]*\n\n/, '\n\n'),
      ];
      for (const edit of edits) {
        const after = chunk(chapters.map((text, i) => (i === chapter ? edit(text) : text)).join(''));
        const fresh = (list: string[]) => list.filter((id) => !known.has(id)).length;
        expect(ids(after.leaves)).not.toEqual(ids(before.leaves));
        expect(fresh(ids(after.leaves))).toBeLessThanOrEqual(4);
        expect(fresh(ids(after.parents))).toBeLessThanOrEqual(3);
      }
    }
  });
});

describe('breadcrumb', () => {
  it('names file and headings', () => {
    expect(breadcrumb('q3.docx', ['Findings', 'Customer Segments', 'Enterprise'])).toBe(
      '[Source: q3.docx > Findings > Customer Segments > Enterprise]',
    );
    expect(breadcrumb('notes.txt', [])).toBe('[Source: notes.txt]');
  });

  it('stays on one line and within 600 characters', () => {
    expect(breadcrumb('a\nb\0.md', [])).toBe('[Source: a b .md]');
    const long = breadcrumb('f'.repeat(300), ['a'.repeat(200), 'b'.repeat(200), 'c'.repeat(200)]);
    expect(long.length).toBeLessThanOrEqual(600);
    expect(long).toMatch(/^\[Source: f+… > … > c+\]$/);
  });
});
