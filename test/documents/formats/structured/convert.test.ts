import { describe, expect, it } from 'vitest';
import { convertJson } from '../../../../src/documents/formats/json/convert.ts';
import { convertYaml } from '../../../../src/documents/formats/yaml/convert.ts';

describe('convertYaml', () => {
  it.each([
    ['several documents', 'a: 1\r\nb:\r\n  - x # why\r\n---\r\nc: 2\r\n'],
    ['tags that no schema knows', 'Role: !Ref Admin\nName: !Sub "x"\n'],
    ['aliases', 'a: &x {k: 1}\nb: *x\n<<: *x\n'],
    ['keys of every object', '__proto__: {polluted: true}\nconstructor: 1\n'],
  ])('keeps %s as they are', (_, text) => {
    expect(convertYaml(Buffer.from(text))).toEqual({
      markdown: text,
      format: 'yaml',
      fidelity: { score: 1, counts: {}, losses: [] },
    });
    expect({}).not.toHaveProperty('polluted');
  });

  it.each([
    ['a tab', 'a: 1\nb:\n\tc: 1\n', /line 3: .*tab/i],
    ['a template', '{{- if .Values.x }}\na: 1\n{{- end }}\n', /line 1: /],
    ['a key that stands twice', 'a: 1\na: 2\n', /line 2: .*unique/i],
  ])('keeps %s and names the line', (_, text, detail) => {
    const { markdown, fidelity } = convertYaml(Buffer.from(text));
    expect(markdown).toBe(text);
    expect(fidelity.score).toBe(0.9);
    expect(fidelity.losses).toEqual([
      { kind: 'syntax_error', count: 1, detail: expect.stringMatching(detail) },
    ]);
  });

  it.each([
    ['brackets', '['.repeat(100_000)],
    ['brackets behind a tag', `a: !Ref x\nb: ${'['.repeat(100_000)}`],
    ['braces', '{a: '.repeat(50_000)],
    ['dashes', '- '.repeat(100_000)],
    ['dashes behind a tag', `a: !Ref x\n${'- '.repeat(100_000)}`],
    ['indentation', Array.from({ length: 2_000 }, (_, i) => `${' '.repeat(i)}a:`).join('\n')],
    ['questions', '? '.repeat(50_000)],
    ['aliases of aliases', `a: &a [x]\n${'bcdefghi'.replace(/./g, (c) => `${c}: &${c} [*a, *a, *a]\n`)}`],
  ])('survives %s', (_, text) => {
    const { markdown, fidelity } = convertYaml(Buffer.from(text));
    expect(markdown).toBe(text);
    expect(fidelity.score).toBe(text.startsWith('a: &a') ? 1 : 0.9);
  });
});

describe('convertJson', () => {
  it.each(['{"a": [1, 2, {"b": null}]}', '{// why\n"a": 1, /* x */ "b": [1, 2,],}', '"word"', '[]'])(
    'keeps %s as it is',
    (text) => {
      expect(convertJson(Buffer.from(text))).toEqual({
        markdown: text,
        format: 'json',
        fidelity: { score: 1, counts: {}, losses: [] },
      });
    },
  );

  it.each([
    ['{"a": 1,\n"b": }\n', 'syntax_error', /line 2: value expected/],
    ['{"a": [1, 2', 'syntax_error', /line 1: close bracket expected/],
    ['['.repeat(200_000), 'deep_nesting', /nested/],
    ['{"a":'.repeat(100_000), 'deep_nesting', /nested/],
  ])('keeps %.20s, which is broken, and says so', (text, kind, detail) => {
    const { markdown, fidelity } = convertJson(Buffer.from(text));
    expect(markdown).toBe(text);
    expect(fidelity.score).toBe(0.9);
    expect(fidelity.losses).toEqual([{ kind, count: 1, detail: expect.stringMatching(detail) }]);
  });

  it('takes NUL out', () => {
    expect(convertJson(Buffer.from('{"a\0": 1}')).markdown).toBe('{"a": 1}');
  });
});
