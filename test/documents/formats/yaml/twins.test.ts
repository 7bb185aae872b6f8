import fc from 'fast-check';
import { dump } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { TreeBuilder } from '../../../../src/documents/formats/structured/tree-builder.ts';
import { readYamlEvents } from '../../../../src/documents/formats/yaml/read-events.ts';
import { readYamlLines } from '../../../../src/documents/formats/yaml/read-lines.ts';
import { prose } from '../../../helpers/prose.ts';
import { nodesOf } from '../../outline/nodes.ts';

const word = fc.constantFrom(
  'name',
  'id',
  'title',
  'kind',
  'metadata',
  'spec',
  'a',
  'b',
  '1',
  'null',
  '__proto__',
  '',
);
const sentence = fc
  .tuple(fc.nat({ max: 99 }), fc.integer({ min: 1, max: 5 }), fc.constantFrom(' ', '\n', '\n\n', ': ', ' # '))
  .map(([seed, count, between]) =>
    Array.from({ length: count }, (_, i) => prose(seed + i, 1, 6)).join(between),
  );
const text = fc.oneof(
  word,
  sentence,
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('true', '~', '0x1F', '1.0', "'", '"', '- a', '# b'),
);
const scalar = fc.oneof(
  text,
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 5 }),
    fc
      .array(fc.tuple(fc.oneof(word, text), tie('value')), { maxLength: 5 })
      .map((entries) => Object.fromEntries(entries)),
    fc.array(fc.record({ name: sentence, n: fc.nat() }, { requiredKeys: ['n'] }), { maxLength: 14 }),
  ),
}));
// as JSON has it: without -0, which is 0 there
const json = value.map((one) => JSON.parse(JSON.stringify(one)) as unknown);

/** What is to be the same of the same content: levels, texts, blurbs and parents. */
function seen(source: string, format: 'json' | 'yaml') {
  const nodes = nodesOf(source, format);
  const places = new Map(nodes.map(({ id }, i) => [id, i]));
  return nodes.map(({ level, text: name, blurb, parentId }) => [
    level,
    name,
    blurb,
    places.get(parentId ?? '') ?? -1,
  ]);
}

describe('the same content', () => {
  it.each([
    ['as YAML of js-yaml', (one: unknown) => dump(one, { noRefs: true })],
    ['as YAML of js-yaml, in flow style', (one: unknown) => dump(one, { noRefs: true, flowLevel: 1 })],
    ['as YAML of yaml', (one: unknown) => stringify(one, { aliasDuplicateObjects: false })],
    ['as YAML of yaml, in quotes', (one: unknown) => stringify(one, { defaultStringType: 'QUOTE_DOUBLE' })],
    ['as indented JSON', (one: unknown) => JSON.stringify(one, null, 2)],
  ])('has the same outline as JSON and %s', (_, write) => {
    fc.assert(
      fc.property(json, (one) => {
        expect(seen(write(one), 'yaml')).toEqual(seen(JSON.stringify(one), 'json'));
      }),
      { numRuns: 150, seed: 11 },
    );
  });
});

/** All that a reader makes of a text; null when it gives up. */
function treeOf(source: string, read: typeof readYamlLines) {
  const tree = new TreeBuilder({ levels: 64, nodesPerLevel: 20_000 });
  return read(source, tree) ? tree.documents : null;
}

describe('the quick reader of YAML', () => {
  it('makes the same tree as the parser, ranges included', () => {
    let read = 0;
    fc.assert(
      fc.property(json, fc.constantFrom(-1, 0, 2), fc.constantFrom('\n', '\r\n'), (one, flowLevel, end) => {
        const source = dump(one, { noRefs: true, flowLevel }).replaceAll('\n', end);
        const tree = treeOf(source, readYamlLines);
        if (!tree) return;
        read++;
        expect(tree).toEqual(treeOf(source, readYamlEvents));
      }),
      { numRuns: 300, seed: 12 },
    );
    // it gives up at scalars on top
    expect(read).toBeGreaterThan(150);
  });

  const line = fc
    .tuple(
      fc.constantFrom(0, 0, 2, 2, 4, 6),
      fc.constantFrom('', '', '- ', '- - ', '? ', ': '),
      fc.constantFrom('a:', 'b: ', "'c':", 'd', '', '"e" :', '#', 'f: g:', '---', '...', '{x: 1}:', 'k\t:'),
      fc.constantFrom(
        '',
        ' 1',
        ' two words',
        ' "x',
        ' y"',
        " 'z'",
        ' |',
        ' >-',
        ' |2',
        ' [',
        ' ]',
        ' {m: n}',
        ' # c',
        ' -',
        ' &h',
        ' *h',
        '\t',
      ),
    )
    .map(([indent, before, key, rest]) => `${' '.repeat(indent)}${before}${key}${rest}`)
    // the parser takes an indented marker on the first line for a marker
    .filter((one) => !/^ +(?:---|\.\.\.)/.test(one));

  it('takes nothing that the parser refuses, whatever the lines, and makes the same tree of it', () => {
    let read = 0;
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 6 }), (lines) => {
        const source = `${lines.join('\n')}\n`;
        const tree = treeOf(source, readYamlLines);
        if (!tree) return;
        read++;
        const parsed = treeOf(source, readYamlEvents);
        expect(parsed, source).not.toBeNull();
        expect(withoutEnds(tree), source).toEqual(withoutEnds(parsed));
      }),
      { numRuns: 4_000, seed: 13 },
    );
    expect(read).toBeGreaterThan(200);
  });
});

/** Values that are not there end somewhere, which the two readers see differently. */
const withoutEnds = (tree: unknown): unknown =>
  JSON.parse(
    JSON.stringify(tree, (key, one: unknown) => (key === 'end' || key === 'start' ? undefined : one)),
  );
