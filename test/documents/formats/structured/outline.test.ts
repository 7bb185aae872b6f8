import { describe, expect, it } from 'vitest';
import type { OutlineNode } from '../../../../src/documents/outline/outline.ts';
import { nodesOf, treeOf } from '../../outline/nodes.ts';

const blurb = (node: OutlineNode) => node.blurb;
const yaml = (text: string) => treeOf(nodesOf(text, 'yaml'), blurb);
const json = (value: unknown) => treeOf(nodesOf(JSON.stringify(value), 'json'), blurb);

describe('the outline of YAML and JSON', () => {
  it('has a node for each key, which says what its value is', () => {
    const text =
      'name: Forge\nport: 0x10\nratio: 1.50\non: True\nnothing: ~\nempty:\nblank: ""\nsizes: [1, 2, 3]\nin: {a: {b: 1}}\n';
    expect(yaml(text)).toEqual([
      'name: Forge',
      'port: 16',
      'ratio: 1.5',
      'on: true',
      'nothing: null',
      'empty: null',
      'blank: ""',
      'sizes: array of 3 values: 1, 2, 3',
      'in: object: a',
      '  a: object: b',
      '    b: 1',
    ]);
  });

  it('names elements by a telling key, and by their index where there are ten at most', () => {
    const value = {
      people: [{ age: 3, name: 'Ann' }, { id: 7, age: 4 }, { age: 5 }],
      many: Array.from({ length: 12 }, (_, i) => (i === 11 ? { title: 'Last' } : { n: i })),
      pairs: [[1, 2], [3]],
    };
    expect(json(value).filter((line) => !/ (age|n|id|name|title): /.test(line))).toEqual([
      'people: array of 3 objects: age, name',
      '  Ann: object: age, name',
      '  7: object: id, age',
      '  [2]: object: age',
      'many: array of 12 objects: n',
      ...Array.from({ length: 10 }, (_, i) => `  [${i}]: object: n`),
      '  Last: object: title',
      'pairs: array of 2 arrays',
      '  [0]: array of 2 values: 1, 2',
      '  [1]: array of 1 value: 3',
    ]);
  });

  it('lists no more names than fit', () => {
    const [node] = nodesOf(
      JSON.stringify({ a: Object.fromEntries(Array.from({ length: 90 }, (_, i) => [`key${i}`, i])) }),
      'json',
    );
    expect(node?.blurb).toMatch(/^object: key0, key1, .*, …$/);
    expect(node?.blurb.length).toBeGreaterThan(200);
    expect(node?.blurb.length).toBeLessThanOrEqual(240);
  });

  it('has a node for each of several documents', () => {
    const text = [
      '# first',
      'kind: Deployment',
      'metadata:',
      '  name: web',
      '---',
      'a: 1',
      '---',
      '---',
      'name: third',
      '...',
    ].join('\n');
    expect(yaml(text).filter((line) => !line.startsWith('    '))).toEqual([
      'Deployment web: object: kind, metadata',
      '  kind: Deployment',
      '  metadata: object: name',
      'Document 2: object: a',
      '  a: 1',
      'third: object: name',
      '  name: third',
    ]);
    expect(treeOf(nodesOf('{"id": "a"}\n{"id": "b"}\n', 'json'))).toEqual(['a', '  id', 'b', '  id']);
  });

  it.each([
    ['[1, 2]', 'array of 2 values: 1, 2'],
    ['"a\\nb"', 'a b'],
    ['12', '12'],
  ])('has one node for what has no keys: %s', (text, said) => {
    expect(treeOf(nodesOf(text, 'json'), blurb)).toEqual([`Document: ${said}`]);
    expect(treeOf(nodesOf(text, 'yaml'), blurb)).toEqual([`Document: ${said}`]);
  });

  it.each(['{}', '[]', '', '  \n'])('has no nodes for %j', (text) => {
    expect(nodesOf(text, 'json')).toEqual([]);
    expect(nodesOf(text, 'yaml')).toEqual([]);
  });

  it('shows anchors, aliases and merge keys without following them', () => {
    const text = 'base: &b\n  x: 1\nuse:\n  <<: *b\n  y: 2\n? &k key\n: v\nlist: [*b, *b]\n';
    expect(yaml(text)).toEqual([
      'base: object: x',
      '  x: 1',
      'use: object: <<, y',
      '  <<: *b',
      '  y: 2',
      'key: v',
      'list: array of 2 values: *b, *b',
    ]);
  });

  it('reads all styles of scalars and keys', () => {
    const text = [
      "\"quoted \\u0041\": 'it''s'",
      "'single': \"two",
      '  lines"',
      'literal: |-',
      '  one: not a key',
      '  # not a comment',
      'folded: >',
      '  two',
      '  more',
      'plain: goes',
      '  on # and ends',
      '? asked',
      ': answered',
      '12: number',
      'url: http://x.org/#y',
    ].join('\n');
    expect(yaml(text)).toEqual([
      "quoted A: it's",
      'single: two lines',
      'literal: one: not a key # not a comment',
      'folded: two more',
      'plain: goes on',
      'asked: answered',
      '12: number',
      'url: http://x.org/#y',
    ]);
  });

  it('has the lines of a key, its comments and its value in the range', () => {
    const text =
      '# head\na: 1 # one\n\n# about b\n# more\nb:\n  # inner\n  c:\n  - name: x\n    y: |\n      text\n\nd: {e: 1, f: [2]}\n';
    const ranges = nodesOf(text, 'yaml').map((node) => [
      node.text,
      text.slice(node.charStart, node.bodyEnd),
      text.slice(node.charStart, node.charEnd),
    ]);
    const b = '# about b\n# more\nb:\n  # inner\n  c:\n  - name: x\n    y: |\n      text';
    expect(ranges).toEqual([
      ['a', '# head\na: 1 # one', '# head\na: 1 # one'],
      ['b', '# about b\n# more\nb:\n', b],
      ['c', '  # inner\n  c:\n', '  # inner\n  c:\n  - name: x\n    y: |\n      text'],
      ['x', '  - ', '  - name: x\n    y: |\n      text'],
      ['name', 'name: x', 'name: x'],
      ['y', '    y: |\n      text', '    y: |\n      text'],
      ['d', 'd: {', 'd: {e: 1, f: [2]}'],
      ['e', 'e: 1', 'e: 1'],
      ['f', 'f: [2]', 'f: [2]'],
    ]);
  });

  it('has exact ranges in JSON, without the comma behind', () => {
    const text = '\ufeff{\r\n  "a": {"b": "👍"},\r\n  "c": [\r\n    {"id": 1}\r\n  ]\r\n}';
    expect(nodesOf(text, 'json').map(({ charStart, charEnd }) => text.slice(charStart, charEnd))).toEqual([
      '  "a": {"b": "👍"}',
      '"b": "👍"',
      '  "c": [\r\n    {"id": 1}\r\n  ]',
      '    {"id": 1}',
      '"id": 1',
    ]);
  });

  it('tells keys that are equal or belong to prototypes apart', () => {
    const text = '{"__proto__": {"constructor": 1}, "a": 1, "a": 2, "toString": null, "": 3}';
    const nodes = nodesOf(text, 'json');
    expect(treeOf(nodes, blurb)).toEqual([
      '__proto__: object: constructor',
      '  constructor: 1',
      'a: 1',
      'a: 2',
      'toString: null',
      '"": 3',
    ]);
    expect(new Set(nodes.map(({ id }) => id)).size).toBe(6);
  });
});

describe('what is broken', () => {
  it('is read as far as it makes sense, in JSON', () => {
    expect(treeOf(nodesOf('{"a": 1, "b": [{"name": "x", "c": tru', 'json'))).toEqual([
      'a',
      'b',
      '  x',
      '    name',
      '    c',
    ]);
    expect(treeOf(nodesOf('{a: 1, // why\n "b" 2,}', 'json'))).toEqual(['a', 'b']);
  });

  it('is a list of paragraphs where it is no JSON at all', () => {
    expect(treeOf(nodesOf('Dear all,\nhello.\n\nBest wishes', 'json'))).toEqual([
      'Dear all, hello.',
      'Best wishes',
    ]);
  });

  it('is read by its indentation, in YAML', () => {
    const template =
      'kind: {{ .Kind }}\nspec:\n  {{- if .Values.x }}\n  replicas: 3\n  {{- end }}\n  image: a:b\n';
    expect(treeOf(nodesOf(template, 'yaml'), blurb)).toEqual([
      'kind: {{ .Kind }}',
      'spec: {{- if .Values.x }} replicas: 3 {{- end }} image: a:b',
      '  replicas: 3',
      '  image: a:b',
    ]);
    expect(treeOf(nodesOf('a: 1\n\tb: 2\nc: [\n', 'yaml'))).toEqual(['a', '  b', 'c']);
  });

  it('is a list of paragraphs where it has no keys', () => {
    expect(treeOf(nodesOf('@one\ntwo\n\n`three', 'yaml'))).toEqual(['@one two', '`three']);
  });
});
