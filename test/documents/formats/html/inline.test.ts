import { describe, expect, it } from 'vitest';
import { fidelityOf, lossesOf, markdownOf } from './page.ts';

describe('formatting', () => {
  it('is kept', () => {
    expect(
      markdownOf(
        '<b>a</b> <i>b</i> <del>c</del> H<sub>2</sub>O x<sup>2</sup> <kbd>d`e</kbd> <q>f</q> <u>g</u>',
      ),
    ).toBe('**a** *b* ~~c~~ H<sub>2</sub>O x<sup>2</sup> ``d`e`` “f” g');
  });

  it('reaches over blocks, and comes together where it was split', () => {
    expect(markdownOf('<b>a<p>b</p>c</b>')).toBe('**a**\n\n**b**\n\n**c**');
    expect(markdownOf('<b>a</b><b>b</b> <b>c <b>d</b></b><i>e</i>')).toBe('**ab** **c d**e');
    expect(markdownOf('<b>Note: </b>text <b>Note:</b>text')).toBe('**Note:** text Note:text');
  });

  it('does not come from text', () => {
    expect(markdownOf('<p># a<p>* b<p>1. c<p>&gt; d<p>&lt;b>e&lt;/b> &amp;amp;<p>_f_ **g** `h`')).toBe(
      '\\# a\n\n\\* b\n\n1\\. c\n\n\\> d\n\n\\<b>e\\</b> \\&amp;\n\n\\_f\\_ \\*\\*g\\*\\* \\`h\\`',
    );
    expect(markdownOf('a | b<br>--- | ---<br>1 | 2')).toBe('a | b  \n\\--- | ---  \n1 | 2');
  });
});

describe('links', () => {
  it('lead where a browser would go', () => {
    expect(
      markdownOf(
        '<a href=" https://e.org/a b(c) ">a [b</a> <a href="../d?e=1">d</a> <a href="mailto:x@y.z">x</a>',
      ),
    ).toBe('[a \\[b](https://e.org/a%20b\\(c\\)) [d](../d?e=1) [x](mailto:x@y.z)');
    expect(markdownOf('<a href="https://e.org">https://e.org</a>')).toBe('<https://e.org>');
    expect(markdownOf('see <code>a <a href="/b">b</a></code>')).toBe('see `a `[`b`](/b)');
  });

  it.each([
    'javascript:alert(1)',
    ' java\nscript:alert(1)',
    '\u0001javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    '#note',
    '',
  ])('are text where they lead to %j', (href) => {
    expect(markdownOf(`<a href="${href}" onclick="x()">text</a>`)).toBe('text');
  });

  it('do not come from signs next to each other', () => {
    expect(markdownOf('Look!<a href="/a">here</a> <u>[b]</u>(c)')).toBe('Look\\![here](/a) [b\\](c)');
  });

  it('stand once where they reach over blocks', () => {
    expect(markdownOf('<a href="/a"><h2>Card</h2><p>text</p></a><a href="/b"> </a>')).toBe(
      '## [Card](/a)\n\ntext',
    );
  });

  it('are counted', () => {
    const tooLong = `<a href="/${'x'.repeat(2_500)}">c</a>`;
    const { counts } = fidelityOf(`<a href="/a">a</a> <a href="#b">b</a> ${tooLong} <a name="d">d</a>`);
    expect(counts.links).toEqual({ source: 2, result: 1 });
    expect(lossesOf(`<p>${tooLong}`)).toEqual({ link: 1 });
  });
});

describe('pictures', () => {
  it('become their alternative text', () => {
    expect(markdownOf('a <img src="data:image/png;base64,AAAA" alt="The [plan]\n of 2025">')).toBe(
      'a ![The \\[plan\\] of 2025]()',
    );
    expect(markdownOf('<a href="/x"><img alt="Home"></a>')).toBe('[![Home]()](/x)');
  });

  it('leave their place where they have none, and nothing where they decorate', () => {
    const html =
      'a <img src="x.png"> <img alt=""> <img src="t.gif" width="1" height="1"> <img role="presentation" alt="x">';
    expect(markdownOf(html)).toBe('a ![Image]()');
    expect(lossesOf(html)).toEqual({ image: 1 });
  });
});
