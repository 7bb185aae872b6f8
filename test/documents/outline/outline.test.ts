import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DocumentFormat } from '../../../src/documents/formats/registry.ts';
import { buildOutline } from '../../../src/documents/outline/outline.ts';
import { outlineFaults } from '../../helpers/outline-faults.ts';
import { parseDocument } from '../../helpers/parse-document.ts';
import { paragraphs, prose } from '../../helpers/prose.ts';
import { nodesOf, treeOf } from './nodes.ts';

const build = (text: string, format: DocumentFormat) => buildOutline(parseDocument({ text, format }), []);
const formats: DocumentFormat[] = ['markdown', 'yaml', 'json', 'text', 'pdf'];

describe('ids', () => {
  const before = '# A\n\nOf A.\n\n## B\n\nOf B.\n\n# C\n\nOf C.\n';
  const idsOf = (text: string) =>
    Object.fromEntries(nodesOf(text, 'markdown').map(({ text: name, id }) => [name, id]));

  it('stay the same while a node stands where it stood and says what it said', () => {
    const after = before
      .replace('# A', '# New\n\nText.\n\n# A')
      .replace('Of C.', 'Of C.  \n\n## Below C\n\nMore.');
    expect(idsOf(after)).toMatchObject(idsOf(before));
  });

  it('change in their second half with the text and in their first with the place', () => {
    const [path, content] = idsOf(before).B?.split('-') ?? [];
    const edited = idsOf(before.replace('Of B.', 'Of B now.')).B?.split('-') ?? [];
    expect(edited[0]).toBe(path);
    expect(edited[1]).not.toBe(content);
    const moved = idsOf(before.replace('# A\n', '# Z\n')).B?.split('-') ?? [];
    expect(moved[0]).not.toBe(path);
    expect(moved[1]).toBe(content);
  });

  it('are told apart where nodes are equal', () => {
    const ids = nodesOf('# A\n## B\n## B\n# A\n## B\n', 'markdown').map(({ id }) => id);
    expect(new Set(ids).size).toBe(5);
    expect(new Set(ids.map((id) => id.slice(9))).size).toBe(2);
  });

  it('do not depend on the comma behind a JSON member', () => {
    const [a] = nodesOf('{"a": [1]}', 'json');
    expect(nodesOf('{"a": [1], "b": 2}', 'json')[0]?.id).toBe(a?.id);
  });
});

describe('the digest', () => {
  it('is the same for the same outline and another when anything in it is', () => {
    const chunks = [{ id: 'leaf_1', charStart: 0, charEnd: 99 }];
    const text = '# A\n\nOf A.\n';
    const of = (one: string, some = chunks) =>
      buildOutline(parseDocument({ text: one, format: 'markdown' }), some).digest;
    const digests = [
      of(text),
      of('# A\n\nOf B.\n'),
      of('# A\n\nOf A.\n\n'),
      of(text, []),
      of('## A\n\nOf A.\n'),
    ];
    expect(new Set(digests).size).toBe(digests.length);
    expect(of(text)).toBe(digests[0]);
  });
});

describe('chunks', () => {
  it('are named by the first that ends behind the start of a node', () => {
    const text = '# A\n\nOf A.\n\n# B\n\nOf B.\n\n# C\n';
    const chunks = [
      { id: 'one', charStart: 0, charEnd: 10 },
      { id: 'two', charStart: 12, charEnd: 23 },
    ];
    const { nodes } = buildOutline(parseDocument({ text, format: 'markdown' }), chunks);
    expect(nodes.map(({ chunkId }) => chunkId)).toEqual(['one', 'two', null]);
  });
});

describe('text and PDF', () => {
  it('have their paragraphs, flat', () => {
    const text = `\n${prose(1, 4)}\n\n \nSecond\nof two lines.\r\n\r\nThird.`;
    const nodes = nodesOf(text, 'text');
    expect(nodes.map(({ text: name }) => name)).toEqual([
      expect.stringMatching(/^[A-Z].{70,78}…$/),
      'Second of two lines.',
      'Third.',
    ]);
    expect(nodes[0]?.blurb.length).toBeGreaterThan(150);
    expect(nodes.map(({ level, parentId }) => [level, parentId])).toEqual(Array(3).fill([1, null]));
    expect(text.slice(nodes[1]?.charStart, nodes[1]?.charEnd)).toBe('Second\nof two lines.\r\n\r\n');
  });

  it('have their pages, where there are any', () => {
    const text = 'First page.\nMore.\n\nSecond.\n';
    const { nodes } = buildOutline(
      parseDocument({ text, format: 'pdf', pageStarts: [0, 19, text.length] }),
      [],
    );
    expect(nodes.map((node) => [node.text, node.blurb, node.charStart, node.charEnd])).toEqual([
      ['Page 1', 'First page. More.', 0, 19],
      ['Page 2', 'Second.', 19, 27],
      ['Page 3', '', 27, 27],
    ]);
    expect(treeOf(nodesOf(text, 'pdf'))).toEqual(['First page. More.', 'Second.']);
  });
});

describe('limits', () => {
  it('keep 20,000 nodes: the deepest levels go first', () => {
    const text = Array.from(
      { length: 101 },
      (_, i) => `# ${i}\n${'## x\n'.repeat(100)}${i === 0 ? '### y\n'.repeat(12_000) : ''}`,
    ).join('');
    const { nodes, truncated } = build(text, 'markdown');
    expect([nodes.length, truncated]).toEqual([101 * 101, true]);
    // what is left out below a node is its own text then
    expect(nodes[100]?.bodyEnd).toBe(nodes[100]?.charEnd);
  });

  it.each([
    ['markdown', '# a\n'.repeat(20_001)],
    ['json', `[${'{"id": 1},'.repeat(20_000)}{"id": 2}]`],
    ['json', `{${Array.from({ length: 20_001 }, (_, i) => `"k${i}": 1`).join()}}`],
    ['yaml', '---\na: 1\n'.repeat(20_001)],
    ['text', 'a\n\n'.repeat(20_001)],
  ] as const)('keep the first 20,000 of the top level: %s', (format, text) => {
    const { nodes, truncated } = build(text, format);
    expect([nodes.length, truncated]).toEqual([20_000, true]);
    expect(outlineFaults(text, { ...build(text, format) })).toEqual([]);
  });

  it('say that something is nested too deeply', () => {
    const { nodes, truncated } = build('{"a":'.repeat(100_000), 'json');
    expect([nodes.length, truncated]).toEqual([64, true]);
  });

  it('keep two levels of a document over 5 MiB, and say so', () => {
    const long = paragraphs(1, 200);
    const markdown = Array.from({ length: 80 }, (_, i) => `# ${i}\n## a\n### b\n\n${long}\n\n`).join('');
    const json = JSON.stringify(Array.from({ length: 80 }, (_, i) => ({ id: i, a: { b: long } })));
    for (const [text, format] of [
      [markdown, 'markdown'],
      [json, 'json'],
      [json, 'yaml'],
    ] as const) {
      const { nodes, truncated, guardrail } = build(text, format);
      expect(text.length).toBeGreaterThan(5 * 1024 * 1024);
      expect([truncated, guardrail]).toEqual([true, 'huge_document_guardrail']);
      expect(new Set(nodes.map(({ level }) => level))).toEqual(new Set([1, 2]));
    }
    // whatever the headings' numbers are
    const lower = nodesOf(markdown.replaceAll(/^#/gm, '###'), 'markdown');
    expect(treeOf(lower).slice(0, 3)).toEqual(['0', '  a', '1']);
  });

  it('count bytes, not characters', () => {
    expect(build('是'.repeat(2_000_000), 'text').guardrail).toBe('huge_document_guardrail');
    expect(build('a'.repeat(2_000_000), 'text').guardrail).toBeNull();
  });
});

describe('any text', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '# A\n',
      'b\n===\n',
      '- ',
      '  ',
      '\n',
      '\r',
      '\r\n',
      'key: ',
      '{',
      '}',
      '[',
      ']',
      ',',
      '"',
      "'",
      '\\',
      '---\n',
      '...\n',
    ),
    fc.constantFrom(
      '&a ',
      '*a',
      '!!t ',
      '<<: *a\n',
      '? ',
      ': ',
      '|\n',
      '>-\n',
      '#',
      '\t',
      '\0',
      '\ufeff',
      '`',
      '```\n',
      '<',
      '>',
      '[a](',
      '👍',
      '\ud83d',
      '__proto__',
    ),
    fc.string({ unit: 'binary', maxLength: 8 }),
    fc.constantFrom('name: x\n', 'id: 1\n', '"name": "x",', 'null', '1.5', 'word word'),
  );
  it.each(formats)('gives a sound outline as %s', (format) => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.array(fc.nat({ max: 60 })), (pieces, pages) => {
        const text = pieces.join('');
        const pageStarts = [0, ...pages.filter((at) => at <= text.length).sort((a, b) => a - b)];
        const input = { text, format, ...(format === 'pdf' && { pageStarts }) };
        expect(outlineFaults(text, buildOutline(parseDocument(input), []))).toEqual([]);
      }),
      { numRuns: 700, seed: 21 },
    );
  });

  it.each([
    [
      'a billion laughs',
      'yaml',
      `a: &a [x, x]\n${'bcdefghijkl'
        .split('')
        .map((key, i) => `${key}: &${key} [${Array(9).fill(`*${'abcdefghijk'[i]}`).join()}]`)
        .join('\n')}`,
    ],
    ['brackets', 'yaml', '['.repeat(100_000)],
    ['dashes', 'yaml', '- '.repeat(100_000)],
    ['question marks', 'yaml', '? '.repeat(100_000)],
    ['deep indentation', 'yaml', Array.from({ length: 1_000 }, (_, i) => `${' '.repeat(i)}k:`).join('\n')],
    ['a long line', 'yaml', `a: ${'x '.repeat(50_000)}`],
    ['closed in the wrong order', 'json', '[{'.repeat(50_000) + ']'.repeat(50_000)],
    ['a long line', 'json', `{"${'k'.repeat(100_000)}": "${'\\n'.repeat(50_000)}"}`],
    ['a long heading', 'markdown', `# ${'['.repeat(100_000)}`],
    ['5,000 headings', 'markdown', `# a\n\n${'[`*<'.repeat(100)}\n\n`.repeat(5_000)],
    ['quotations', 'markdown', '>'.repeat(100_000)],
  ] as const)('is no trouble: %s as %s', (_, format, text) => {
    expect(outlineFaults(text, build(text, format))).toEqual([]);
  });
});
