import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chunkingSchema, type HierarchicalChunking } from '../../../src/contract/chunking.ts';
import { chunkDocument } from '../../../src/documents/chunking/chunk.ts';
import type { DocumentFormat } from '../../../src/documents/formats/registry.ts';
import { countTokens } from '../../../src/text/tokens.ts';
import { parseDocument } from '../../helpers/parse-document.ts';
import { prose } from '../../helpers/prose.ts';

const chunking = chunkingSchema.parse({
  strategy: 'hierarchical',
  leaf_min_tokens: 20,
  leaf_max_tokens: 80,
  parent_max_tokens: 300,
}) as HierarchicalChunking;

const text = fc.oneof(
  fc.tuple(fc.nat({ max: 999 }), fc.integer({ min: 1, max: 20 })).map(([seed, count]) => prose(seed, count)),
  fc.integer({ min: 1, max: 40 }).map((count) => '这是一个句子，后面还有别的。'.repeat(count)),
  fc.nat({ max: 999 }).map((seed) => prose(seed, 1, 200)),
  fc.constantFrom('Short.', 'As follows:', '👍👍 “Größe”', 'a\0b', '<|endoftext|>'),
);
const lines = (make: (seed: number) => string) =>
  fc.integer({ min: 1, max: 30 }).map((count) => Array.from({ length: count }, (_, i) => make(i)).join('\n'));
const block = fc.oneof(
  { weight: 3, arbitrary: text },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.integer({ min: 1, max: 6 }), text)
      .map(([n, t]) => `${'#'.repeat(n)} ${t.slice(0, 30)}`),
  },
  fc.constantFrom('Title\n===', 'Sub\n---', '---', '[a]: http://example.com', '    indented code'),
  lines((i) => `- ${prose(i, 2)}\n  - ${prose(i + 50, 1)}`),
  lines((i) => `> ${prose(i, 1)}`),
  lines((i) => (i === 0 ? '| a | b |\n|---|---|' : `| ${i} | ${prose(i, 1)} |`)),
  lines((i) => `const value${i} = ${i};`).map((code) => `\`\`\`ts\n${code}\n# no heading\n\`\`\``),
  lines((i) => `<p>${prose(i, 1)}</p>`),
);
const markdown = fc
  .tuple(
    fc.constantFrom('', '\ufeff', '---\ntitle: A\n---\n', '\n\n'),
    fc.array(block, { maxLength: 14 }),
    fc.constantFrom('\n', '\r\n', '\r'),
  )
  .map(([head, blocks, end]) => (head + blocks.join('\n\n')).replaceAll('\n', end));

const check = (
  format: DocumentFormat,
  property: (value: string, document: ReturnType<typeof chunkDocument>) => void,
) =>
  fc.assert(
    fc.property(markdown, (value) =>
      property(value, chunkDocument(parseDocument({ text: value, format }), { filename: 'f.md', chunking })),
    ),
    { numRuns: 60, seed: 5 },
  );

const formats: DocumentFormat[] = ['markdown', 'text', 'yaml', 'json'];

describe.each(formats)('any %s document', (format) => {
  it('is covered by its leaves, in order, but for white space', () => {
    check(format, (value, { leaves, parents, sections }) => {
      for (const parts of [leaves, parents, sections]) {
        let at = 0;
        for (const { charStart, charEnd } of parts) {
          expect(charStart).toBeGreaterThanOrEqual(at);
          expect(charEnd).toBeGreaterThan(charStart);
          expect(value.slice(at, charStart).trim()).toBe('');
          at = charEnd;
        }
        expect(value.slice(at).trim()).toBe('');
      }
      expect(leaves.map(({ leafIndex }) => leafIndex)).toEqual(leaves.map((_, i) => i));
      expect(parents.map(({ parentIndex }) => parentIndex)).toEqual(parents.map((_, i) => i));
    });
  });

  it('has texts that are exactly what their ranges say, in the parent that they name', () => {
    check(format, (value, { leaves, parents }) => {
      const clean = value.replaceAll('\0', '\ufffd');
      const byId = new Map(parents.map((parent) => [parent.id, parent]));
      expect(byId.size).toBe(parents.length);
      expect(new Set(leaves.map(({ id }) => id)).size).toBe(leaves.length);
      for (const parent of parents) expect(parent.text).toBe(clean.slice(parent.charStart, parent.charEnd));
      for (const { text: own, charStart, charEnd, parentId } of leaves) {
        const slice = clean.slice(charStart, charEnd);
        if (own !== slice) expect(own).toMatch(/^\| a \| b \|(\r\n?|\n)\|---\|---\|\1\| \d/);
        expect(own.endsWith(slice)).toBe(true);
        const parent = byId.get(parentId);
        expect(parent?.charStart).toBeLessThanOrEqual(charStart);
        expect(parent?.charEnd).toBeGreaterThanOrEqual(charEnd);
      }
    });
  });

  it('keeps to the maxima, and says where it could not', () => {
    check(format, (_, { leaves, parents }) => {
      for (const leaf of leaves) {
        const tokens = countTokens(leaf.text);
        expect(Math.abs(leaf.tokens - tokens)).toBeLessThanOrEqual(8);
        expect(tokens).toBeLessThanOrEqual(
          leaf.oversized ? chunking.parent_max_tokens : chunking.leaf_max_tokens,
        );
      }
      for (const parent of parents) {
        expect(countTokens(parent.text)).toBeLessThanOrEqual(chunking.parent_max_tokens);
      }
    });
  });

  it('is cut the same every time', () => {
    check(format, (value, document) => {
      expect(chunkDocument(parseDocument({ text: value, format }), { filename: 'f.md', chunking })).toEqual(
        document,
      );
    });
  });
});

describe('any Markdown document', () => {
  it('is never cut inside a word, a table row or a line of code, and inside a sentence only where it says so', () => {
    check('markdown', (value, { leaves }) => {
      leaves.forEach((leaf, i) => {
        const next = leaves[i + 1];
        if (!next || leaf.oversized || next.oversized) return;
        // sentences of the generated text end so; everything else ends with its line
        const between = value.slice(leaf.charEnd, next.charStart);
        if (!/[\r\n]/.test(between)) expect(leaf.text).toMatch(/[.。]$/);
        expect(value.slice(next.charStart)).not.toMatch(/^ *\d+ \| /);
      });
    });
  });

  it('has leaves under headings that they stand under', () => {
    check('markdown', (_, { leaves, sections }) => {
      for (const leaf of leaves) {
        const touched = sections.filter(
          (one) => one.charStart < leaf.charEnd && one.charEnd > leaf.charStart,
        );
        const paths = touched.map(({ headerPath }) => headerPath);
        expect(paths.some((path) => leaf.headerPath.every((title, i) => path[i] === title))).toBe(true);
        expect(leaf.breadcrumb).toBe(`[Source: ${['f.md', ...leaf.headerPath].join(' > ')}]`);
      }
    });
  });
});
