import fc from 'fast-check';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { describe, expect, it } from 'vitest';
import { blockTokens } from '../../../../src/documents/formats/markdown/block-tokens.ts';
import { markdownBlocks } from '../../../../src/documents/formats/markdown/blocks.ts';

const remark = unified().use(remarkParse);

/** Level and start of the top-level headings, as the reference parser sees them. */
function referenceHeadings(markdown: string) {
  return remark.parse(markdown).children.flatMap((node) => {
    if (node.type !== 'heading') return [];
    // remark counts a heading from its first character, not from its line's start
    const offset = node.position?.start.offset ?? -1;
    return [{ level: node.depth, start: lineStart(markdown, offset) }];
  });
}

function lineStart(text: string, offset: number): number {
  let at = offset;
  while (at > 0 && text[at - 1] !== '\n' && text[at - 1] !== '\r') at--;
  return at;
}

const blocksOf = (markdown: string) => markdownBlocks(markdown, blockTokens(markdown));

function headings(markdown: string) {
  return blocksOf(markdown)
    .filter((block) => block.kind === 'heading')
    .map(({ level, start }) => ({ level, start }));
}

describe('markdownBlocks', () => {
  it.each([
    ['ATX of every level', '# a\n## b\n### c\n#### d\n##### e\n###### f\n####### g\n'],
    ['closing hashes and none', '# a #\n## b ###\n### c#\n#\n##\n'],
    ['no space, escapes, indentation', '#a\n\\# b\n   # c\n    # d\n\t# e\n'],
    ['setext', 'a\n===\n\nb\nc\n---\n\n---\n\n===\n'],
    ['setext in a lazy continuation', '> a\nb\n---\n'],
    ['inside fences', '```\n# a\n```\n~~~ md\n# b\n~~~\n````\n```\n# c\n````\n# d\n'],
    ['an unclosed fence', '# a\n```\n# b\n'],
    ['inside HTML', '<div>\n# a\n</div>\n\n# b\n\n<!--\n# c\n\n# d\n-->\n# e\n<pre>\n\n# f\n</pre>\n'],
    ['inside quotes and lists', '> # a\n\n- # b\n\n  ## c\n\n1. d\n   # e\n\n# f\n'],
    ['right after a paragraph, a list and a table', 'text\n# a\n- item\n# b\n'],
    ['indented code', 'text\n\n    # a\n\n# b\n'],
    ['CRLF', '# a\r\n\r\ntext\r\n## b\r\nc\r\n---\r\n'],
    ['lone CR', '# a\r\rtext\r## b\r'],
    ['characters beyond the BMP', '👍 text\n\n# 👍 a\n\n𝕏\n\n## b\n'],
    ['NUL', 'a\0\n\n# b\0c\n\n## d\n'],
    ['link reference definitions', '[a]: /x\n# b\n[c]: /y\n===\n'],
    ['an anchor before a heading', '<a name="x"></a>\n# a\n\n<a name="x"></a>\n\n# b\n'],
    ['form feeds and other spaces', '#\u00a0a\n#\tb\n\f# c\n'],
    ['no end of line', 'a\n# b'],
  ])('finds the headings that CommonMark has: %s', (_, markdown) => {
    expect(headings(markdown)).toEqual(referenceHeadings(markdown));
  });

  it('finds the same headings as the reference parser in any mixture of lines', () => {
    const line = fc.constantFrom(
      '# a',
      '## b #',
      'text',
      '',
      '---',
      '===',
      '```',
      '~~~',
      '> q',
      '- i',
      '    x',
      '  y',
    );
    const other = fc.constantFrom('<div>', '</div>', '<!--', '-->', '1. n', '   # c', '\t# d', '#e', '* * *');
    const markdown = fc
      .tuple(fc.array(fc.oneof(line, other), { maxLength: 14 }), fc.constantFrom('\n', '\r\n', '\r'))
      .map(([lines, end]) => lines.join(end));
    fc.assert(
      fc.property(markdown, (value) => {
        expect(headings(value)).toEqual(referenceHeadings(value));
      }),
      { numRuns: 300, seed: 11 },
    );
  });

  it('takes front matter off first and keeps it as a block', () => {
    const markdown = '\ufeff---\r\ntitle: A\r\n---\r\n\r\n# Title\r\n\r\nText\r\n';
    const blocks = blocksOf(markdown);
    expect(blocks.map(({ kind, start, end }) => [kind, markdown.slice(start, end)])).toEqual([
      ['container', '\ufeff---\r\ntitle: A\r\n---\r\n\r\n'],
      ['heading', '# Title\r\n\r\n'],
      ['text', 'Text\r\n'],
    ]);
  });

  it('knows what a table and a list can be split into', () => {
    const markdown = '| a |\n|---|\n| 1 |\n| 2 |\n\n- x\n\n  y\n- z\n';
    const [table, list] = blocksOf(markdown);
    const texts = (children = table?.children?.() ?? []) =>
      children.map(({ start, end }) => markdown.slice(start, end));
    expect(markdown.slice(table?.start, table?.headerEnd)).toBe('| a |\n|---|\n');
    expect(texts()).toEqual(['| 1 |\n', '| 2 |\n']);
    expect(texts(list?.children?.())).toEqual(['- x\n\n  y\n', '- z\n']);
  });

  it('takes the rows of header cells for the header of an HTML table, and else the first', () => {
    const headerOf = (markdown: string) => {
      const [table] = blocksOf(markdown);
      return markdown.slice(table?.start, table?.headerEnd);
    };
    const two = '<tr><th rowspan="2">a</th><th>b</th></tr>\n<tr><th>c</th></tr>\n';
    const body = '<tr><td>1</td><td>2</td></tr>\n<tr><th>sum</th><td>2</td></tr>\n';
    expect(headerOf(`<table>\n${two}${body}</table>\n`)).toBe(`<table>\n${two}`);
    expect(headerOf(`<table class="x"><thead>${two}</thead>\n<tbody>\n${body}</tbody></table>\n`)).toBe(
      `<table class="x"><thead>${two}</thead>\n<tbody>\n`,
    );
    expect(headerOf(`<table>${body}</table>\n`)).toBe('<table><tr><td>1</td><td>2</td></tr>\n');
  });

  it('splits an HTML table at its rows', () => {
    const markdown = '<table>\n<tr><th>a</th></tr>\n<tr>\n<td>1</td>\n</tr>\n<tr><td>2</td></tr>\n</table>\n';
    const [table] = blocksOf(markdown);
    expect(markdown.slice(table?.start, table?.headerEnd)).toBe('<table>\n<tr><th>a</th></tr>\n');
    expect(table?.children?.().map(({ start, end }) => markdown.slice(start, end))).toEqual([
      '<tr>\n<td>1</td>\n</tr>\n',
      '<tr><td>2</td></tr>\n</table>\n',
    ]);
  });
});
