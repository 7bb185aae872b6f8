import { describe, expect, it } from 'vitest';
import { ConversionError } from '../../../../src/documents/formats/converted.ts';
import { convertHtml } from '../../../../src/documents/formats/html/convert.ts';
import { markdownOf } from './page.ts';

function failure(html: string | Buffer): ConversionError {
  try {
    convertHtml(Buffer.from(html));
  } catch (error) {
    if (error instanceof ConversionError) return error;
    throw error;
  }
  throw new Error('the page was converted');
}

describe('pages without text', () => {
  it.each([
    '',
    '<html></html>',
    '<title>App</title><div id="root"></div><script>start()</script>',
    '<p>&nbsp;<hr>',
  ])('are refused: %j', (html) => {
    expect(failure(html)).toMatchObject({
      code: 'no_text',
      message: expect.stringMatching(/save the page from the browser/),
    });
  });

  it('are told apart from pictures and from what is no text at all', () => {
    expect(failure('<img src="a.png">').message).toMatch(/pictures/);
    expect(failure(Buffer.from(Array.from({ length: 2_000 }, (_, i) => (i * 7919) % 256))).code).toBe(
      'unreadable_text',
    );
  });
});

describe('broken pages', () => {
  it.each([
    ['<p>a<p>b</div></table></p>', 'a\n\nb'],
    ['</body></html>a<body><p>b', 'a\n\nb'],
    ['<b><p>a</b>b</p>', '**a**b'],
    ['<table>a<tr><td>b<td>c', 'a\n\n| b | c |\n| --- | --- |'],
    ['<p>a <a href="x', 'a'],
    ['a <b', 'a'],
    ['a<plaintext><b>c', 'a\n\n```\n<b>c\n```'],
    ['<p>a<![CDATA[b]]>c<?php echo 1 ?>d', 'acd'],
  ])('are mended as a browser does: %s', (html, markdown) => expect(markdownOf(html)).toBe(markdown));

  it('take names of the prototype for names', () => {
    expect(
      markdownOf('<constructor __proto__="x">a</constructor><toString>b</toString><__proto__>c'),
    ).toMatch(/^ab/);
  });
});

describe('hostile pages', () => {
  const MANY = 20_000;

  it.each([
    '<div>',
    '<span>',
    '<b><i>',
    '<ul><li>',
    '<blockquote>',
    '<table><tr><td>',
    '<dl><dd>',
    '<article><nav>',
    '<pre>',
    '<h1>',
    '<a href="x">',
  ])('may nest %s without end', (tag) => {
    expect(markdownOf(`${tag.repeat(MANY)}core`)).toContain('core');
  });

  it('may nest a hundred thousand elements', () => {
    expect(markdownOf(`<p>a</p>${'<div>'.repeat(100_000)}<h2>b</h2>c`)).toBe('a\n\n## b\n\nc');
  });

  it('end where formatting would be repeated without end', () => {
    const html = Array.from({ length: 3_000 }, (_, i) => `<p><font size="${i}">x`).join('');
    expect(failure(html)).toMatchObject({
      code: 'conversion_memory',
      message: expect.stringMatching(/Split/),
    });
  });

  it('cannot make one address many', () => {
    const html = `<a href="http://e.org/${'x'.repeat(1_900)}">${'<p>y'.repeat(20_000)}`;
    expect(markdownOf(html).length).toBeLessThan(2 * html.length + 20_000);
  });

  it('cannot make a long row of every short one', () => {
    const html = `<table><tr>${'<td>a'.repeat(20_000)}${'<tr><td>b'.repeat(20_000)}</table>`;
    expect(markdownOf(html).length).toBeLessThan(20 * html.length);
  });

  it('may hold spans, sizes and attributes of absurd size', () => {
    const attributes = Array.from({ length: 50_000 }, (_, i) => `a${i}="${i}"`).join(' ');
    const html = `<p ${attributes} style="${'x'.repeat(1_000_000)}">a<table><tr><td colspan="99999999999" rowspan="-1">b<td>c</table>`;
    expect(markdownOf(html)).toBe('a\n\n<table>\n<tr><td colspan="1000">b</td><td>c</td></tr>\n</table>');
  });

  it('never expand entities of their own', () => {
    const laughs = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><p>&b;</p>';
    expect(markdownOf(laughs)).toContain('&b;');
  });

  it.each([
    ['brackets in a table', `<table><tr><td colspan="2">a${'](['.repeat(MANY)}<tr><td>b<td>c</table>`],
    ['spaces in code', `<pre>a${' '.repeat(5 * MANY)}b</pre>`],
    ['hard spaces in a heading', `<h1>a${'&nbsp;'.repeat(MANY)}b</h1>`],
    [
      'runs of backticks',
      `<code>a${Array.from({ length: 1_000 }, (_, i) => '`'.repeat(i)).join(' ')}b</code>`,
    ],
    ['dashes', `<p>${'-'.repeat(5 * MANY)}ab`],
    ['text beside a table', `<table>${'ab<b></b>'.repeat(MANY / 10)}`],
    ['signs', `<p>${'_*~`<&['.repeat(MANY)}ab`],
    ['code in lines', `<pre>${'<div>a</div>'.repeat(MANY)}b</pre>`],
  ])('are read in linear time: %s', (_, html) => expect(markdownOf(html)).toContain('b'));
});
