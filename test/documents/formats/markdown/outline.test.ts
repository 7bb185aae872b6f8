import { describe, expect, it } from 'vitest';
import { nodesOf, treeOf } from '../../outline/nodes.ts';

const headings = (text: string) =>
  nodesOf(text, 'markdown').map(({ level, text: heading }) => `${level} ${heading}`);

describe('the outline of a Markdown text', () => {
  it('has ATX and setext headings with their levels', () => {
    expect(headings('# A\n\nB\n===\n\nC *c*\nd\n---\n\n###### F ##\n')).toEqual([
      '1 A',
      '1 B',
      '2 C c d',
      '6 F',
    ]);
  });

  it('has none from fences, indented code, HTML, quotations, lists and front matter', () => {
    const text = [
      '---',
      'title: T',
      '---',
      '```',
      '# fence',
      '```',
      '',
      '    # indented',
      '',
      '<div>',
      '# html',
      '</div>',
      '',
      '> # quoted',
      '',
      '- # listed',
      '',
      '  # listed too',
      '',
      '# Real',
      '#no space',
    ].join('\n');
    expect(headings(text)).toEqual(['1 Real']);
  });

  it('takes links, references, code, HTML and escapes as plain text', () => {
    expect(
      headings('# <a name="x"></a>A [b](c) `d` \\*e\\* &amp; ![f](g)\n\n# [Name]\n\n[name]: /there\n'),
    ).toEqual(['1 A b d *e* & f', '1 Name']);
  });

  it('keeps the boxes of tasks', () => {
    const nodes = nodesOf(
      '# Go-live [ ]\n\n- [ ] restore\n- [x] (both) disks\n\n# Done\n\n- [x] (all)\n',
      'markdown',
    );
    expect(nodes.map(({ text, blurb }) => [text, blurb])).toEqual([
      ['Go-live [ ]', '[ ] restore'],
      ['Done', '[x] (all)'],
    ]);
  });

  it('is empty without headings', () => {
    expect(nodesOf('Just text.\n\n- and a list\n', 'markdown')).toEqual([]);
  });

  it('puts a heading below the nearest one that is higher, whatever levels are left out', () => {
    const text = '### Early\n# A\n### A.1\n## A.2\n#### A.2.1\n# B\n';
    expect(treeOf(nodesOf(text, 'markdown'))).toEqual(['Early', 'A', '  A.1', '  A.2', '    A.2.1', 'B']);
  });

  it.each([
    ['LF', '\n', ''],
    ['CRLF', '\r\n', ''],
    ['lone CR', '\r', ''],
    ['a byte order mark', '\n', '\ufeff'],
    ['front matter', '\n', '---\ntitle: T\n---\n'],
  ])('has exact ranges with %s', (_, end, head) => {
    const text = head + ['# 👍 One', 'Body 𝒜.', '## Two', 'More.', '# Three', ''].join(end);
    const nodes = nodesOf(text, 'markdown');
    expect(nodes.map(({ charStart, charEnd }) => text.slice(charStart, charEnd))).toEqual([
      ['# 👍 One', 'Body 𝒜.', '## Two', 'More.', ''].join(end),
      ['## Two', 'More.', ''].join(end),
      `# Three${end}`,
    ]);
    expect(nodes.map(({ charStart, bodyEnd }) => text.slice(charStart, bodyEnd))).toEqual([
      ['# 👍 One', 'Body 𝒜.', ''].join(end),
      ['## Two', 'More.', ''].join(end),
      `# Three${end}`,
    ]);
  });

  it('has the first paragraph of a node as its blurb, without markup', () => {
    const text = [
      '# A',
      '- a list first',
      '',
      'Then **bold**, _it_, `code`, [a link](http://x.org/(y) "t"), ![pic](p.png), <b>tag</b>, snake_case, 2 * 3,',
      '[ref][1], [named\tlink], a[0], \\*star\\*, <http://x.org> &amp; more.',
      '',
      '[Named link]: http://x.org',
      '',
      '## B',
      'Of B.',
    ].join('\n');
    expect(nodesOf(text, 'markdown').map(({ blurb }) => blurb)).toEqual([
      'Then bold, it, code, a link, pic, tag, snake_case, 2 * 3, ref, named link, a[0], *star*, http://x.org & more.',
      'Of B.',
    ]);
  });

  it.each([
    ['a list', '- one *item*\n- two', 'one item'],
    ['a quotation', '> quoted', 'quoted'],
    ['a table', '| Name | Age |\n|---|---|\n| Ann | 5 |', 'Name'],
    ['code', '```ts\nconst a = 1;\nconst b = 2;\n```', 'const a = 1; const b = 2;'],
    ['HTML', '<table><tr><td>Cell</td></tr></table>', 'Cell'],
    ['nothing', '', ''],
  ])('takes %s for the blurb when there is no prose', (_, body, blurb) => {
    expect(nodesOf(`# A\n\n${body}\n\n## B\n\nOf B.\n`, 'markdown')[0]?.blurb).toBe(blurb);
  });

  it('does not take the prose of a node below for the blurb', () => {
    expect(nodesOf('# A\n## B\nProse.\n', 'markdown')[0]?.blurb).toBe('');
  });

  it('cuts long headings and blurbs', () => {
    const [node] = nodesOf(`# ${'word '.repeat(100)}\n\n${'prose '.repeat(200)}`, 'markdown');
    expect(node?.text).toHaveLength(200);
    expect(node?.blurb).toMatch(/^prose .*…$/);
    expect(node?.blurb.length).toBeLessThanOrEqual(240);
  });
});
