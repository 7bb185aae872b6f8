import { describe, expect, it } from 'vitest';
import { fidelityOf, markdownOf } from './page.ts';

describe('headings and paragraphs', () => {
  it('keep their levels and their order', () => {
    const html = '<h1>One</h1><p>a<h2>Two</h2>b<div>c<div>d</div>e</div><h6>Six</h6>';
    expect(markdownOf(html)).toBe('# One\n\na\n\n## Two\n\nb\n\nc\n\nd\n\ne\n\n###### Six');
  });

  it('take the title where there is no heading for the whole page', () => {
    const title = '<title> Annual\n report </title>';
    expect(markdownOf(`${title}<h2>Sales</h2><p>text`)).toBe('# Annual report\n\n## Sales\n\ntext');
    expect(markdownOf(`${title}<h1>Report</h1><p>text`)).toBe('# Report\n\ntext');
    expect(fidelityOf(`${title}<p>text`)).toMatchObject({
      score: 1,
      counts: { headings: { source: 1, result: 1 } },
    });
  });

  it('are one line in a heading, whatever is in it', () => {
    expect(markdownOf('<h2><div>Part</div><div>one<br>two</div></h2>')).toBe('## Part one two');
    expect(markdownOf('<h2>Use <a class="anchor" href="#use">¶</a></h2>')).toBe('## Use');
  });

  it('end at two line breaks, not at one', () => {
    expect(markdownOf('<br>a <br> b<br><br><br>c<br>')).toBe('a  \nb\n\nc');
  });

  it('have no white space but what a browser shows', () => {
    expect(markdownOf('<p>\n a \t<b> b\n</b> c <p> &nbsp; <p>10&nbsp;km Donau&shy;dampf<wbr>schiff')).toBe(
      'a **b** c\n\n10\u00a0km Donaudampfschiff',
    );
  });
});

describe('lists', () => {
  it('nest, count and tick', () => {
    const html =
      '<ul><li>a<ul><li>b</li></ul></li><li><input type="checkbox" checked> c<li><input type="checkbox"><p>d</p><p>e</p></ul>' +
      '<ol start="4"><li>f<li>g<li value="9">h</ol>';
    expect(markdownOf(html)).toBe('- a\n  - b\n- [x] c\n- [ ] d\n\n  e\n\n4. f\n5. g\n9) h');
    expect(fidelityOf(html)).toMatchObject({ score: 1, counts: { list_items: { source: 7, result: 7 } } });
  });

  it('explain terms', () => {
    expect(
      markdownOf(
        '<dl><dt>Leaf<dd>A run of splits.<dd>Searched.<div><dt>Parent</dt><dd>Read.</dd></div></dl>',
      ),
    ).toBe('- **Leaf**\n\n  A run of splits.\n\n  Searched.\n- **Parent**\n\n  Read.');
  });

  it('are mended where they are broken', () => {
    expect(markdownOf('<ul>a<li>b<ul><ul><li>c</ul></ul><p>d</ul><li>e</li>')).toBe(
      '- a\n- b\n  - - c\n\n  d\n\n- e',
    );
    expect(markdownOf('<ul><li></li><li>a</li><li> </li></ul>')).toBe('- a');
    expect(markdownOf('<ol start="99999999999"><li>a</ol>')).toBe('1. a');
  });

  it('become sections where their items have headings', () => {
    const html = '<ul><li><h2>News</h2><p>text</li><li><h2>More</h2><ul><li>item</ul></li></ul>';
    expect(markdownOf(html)).toBe('## News\n\ntext\n\n## More\n\n- item');
    expect(fidelityOf(html).losses).toMatchObject([{ kind: 'layout', count: 1 }]);
  });
});

describe('code and quotations', () => {
  it('keep code as it is, with its language', () => {
    const html =
      '<pre class="language-ts"><code>\nconst a = `b`;\n  <b>if</b> (a &lt; 1) {}<br>```\n\n</code></pre>';
    expect(markdownOf(html)).toBe('````ts\nconst a = `b`;\n  if (a < 1) {}\n```\n````');
    expect(markdownOf('<div class="highlight-source-js"><pre>a</pre></div>')).toBe('```js\na\n```');
    const sphinx =
      '<div class="highlight-python notranslate"><div class="highlight"><pre>a</pre></div></div>';
    expect(markdownOf(sphinx)).toBe('```python\na\n```');
    expect(markdownOf('<pre><div>a</div><div>b</div></pre>')).toBe('```\na\nb\n```');
    expect(markdownOf('<pre class="language-a`b c">a</pre>')).toBe('```a\na\n```');
  });

  it('keep quotations', () => {
    expect(markdownOf('<blockquote>a<p>b<blockquote>c</blockquote></blockquote>')).toBe(
      '> a\n>\n> b\n>\n> > c',
    );
  });

  it('do not let a rule become front matter', () => {
    expect(markdownOf('<hr><p>a: b<hr><p>c')).toBe('a: b\n\n***\n\nc');
    expect(markdownOf('<p>---<p>a: b<p>---')).toBe('\\---\n\na: b\n\n\\---');
  });
});
