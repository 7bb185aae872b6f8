import { describe, expect, it } from 'vitest';
import { chunkingSchema } from '../../../src/contract/chunking.ts';
import { chunkDocument } from '../../../src/documents/chunking/chunk.ts';
import { parseDocument } from '../../helpers/parse-document.ts';
import { prose } from '../../helpers/prose.ts';

const chunk = (markdown: string, format: 'yaml' | 'json', sizes = {}) =>
  chunkDocument(parseDocument({ text: markdown, format }), {
    filename: 'api',
    chunking: chunkingSchema.parse({ strategy: 'hierarchical', ...sizes }),
  });
const paths = (document: ReturnType<typeof chunk>) =>
  document.sections.map(({ headerPath }) => headerPath.join(' > '));
const small = { leaf_min_tokens: 5, leaf_max_tokens: 40, parent_max_tokens: 80 };

describe('chunkDocument: YAML', () => {
  it('makes sections of top-level keys', () => {
    const yaml = `%YAML 1.2\n---\n# about\nname: x\n"quoted: key": 1\nlist:\n- a\n- b: c\n\ntext: |\n  key: not one\n\n  # nor a comment\nlast: {a: 1}\n`;
    const { sections } = chunk(yaml, 'yaml');
    expect(sections.map(({ headerPath }) => headerPath)).toEqual([
      ['name'],
      ['quoted: key'],
      ['list'],
      ['text'],
      ['last'],
    ]);
    expect(sections.map(({ charStart, charEnd }) => yaml.slice(charStart, charEnd)).join('')).toBe(yaml);
    expect(yaml.slice(sections[2]?.charStart, sections[2]?.charEnd)).toBe('list:\n- a\n- b: c\n\n');
  });

  it('goes into a key whose value is too long, and keeps comments with what they are about', () => {
    const item = (name: string) => `  # of ${name}\n  /${name}:\n    get:\n      summary: ${prose(1, 12)}\n`;
    const yaml = `openapi: 3\npaths:\n${['a', 'b', 'c'].map(item).join('')}tags: []\n`;
    const document = chunk(yaml, 'yaml', { leaf_max_tokens: 100, parent_max_tokens: 100 });
    expect(paths(document)).toEqual(['openapi', 'paths', 'paths > /a', 'paths > /b', 'paths > /c', 'tags']);
    const [, , , b] = document.sections;
    expect(yaml.slice(b?.charStart, b?.charEnd)).toBe(item('b'));
    expect(document.leaves.some(({ breadcrumb }) => breadcrumb === '[Source: api > paths > /b]')).toBe(true);
  });

  it('tells the documents of one file apart', () => {
    const one = (name: string) => `kind: Service\nmetadata:\n  name: ${name}\nspec:\n  ${prose(1, 3)}\n`;
    const document = chunk(`---\n${one('web')}---\n${one('db')}---\n# nothing\n`, 'yaml');
    expect(paths(document)).toEqual(['Service web', 'Service db']);
  });

  it('cuts what is no YAML at its lines', () => {
    const text = Array.from({ length: 40 }, (_, i) => `{{ ${prose(i, 1)} }}`).join('\n');
    const { leaves } = chunk(text, 'yaml', small);
    expect(leaves.length).toBeGreaterThan(5);
    for (const leaf of leaves) expect(leaf.text).toMatch(/^\{\{ .* \}\}$/s);
  });
});

describe('chunkDocument: JSON', () => {
  const value = {
    name: 'x',
    'odd "key"': [1, 2],
    paths: { '/a': prose(1, 10), '/b': [prose(2, 10)] },
    end: null,
  };

  it.each([0, 1, 2, '\t'])('makes sections of keys, however it is laid out (indent %j)', (indent) => {
    const json = JSON.stringify(value, null, indent);
    const document = chunk(json, 'json', small);
    expect(paths(document)).toEqual(['name', 'odd "key"', 'paths', 'paths > /a', 'paths > /b', 'end']);
    const { sections } = document;
    expect(sections.map(({ charStart, charEnd }) => json.slice(charStart, charEnd)).join('')).toBe(json);
  });

  it('cuts between the members of a long list', () => {
    const json = JSON.stringify(
      { items: Array.from({ length: 50 }, (_, id) => ({ id, text: prose(id, 1) })) },
      null,
      1,
    );
    const { leaves } = chunk(json, 'json', { ...small, leaf_max_tokens: 100, parent_max_tokens: 16_000 });
    expect(leaves.length).toBeGreaterThan(10);
    for (const leaf of leaves.slice(1)) expect(leaf.text).toMatch(/^ +\{\n +"id": \d+,/);
  });

  it.each(['[', '{', '{"a', '"', ']', '{"a":[1,2', '[[[[', 'null', '{"a" 1, b}', '\\"', '['.repeat(50_000)])(
    'loses nothing of what is broken: %.20j',
    (json) => {
      const { leaves } = chunk(json, 'json');
      expect(leaves.map(({ text }) => text).join('')).toBe(json);
    },
  );
});
