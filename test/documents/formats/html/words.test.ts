import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../helpers/parse-document.ts';
import { markdownOf } from './page.ts';

const WRAPPERS = [
  ...[
    'p',
    'div',
    'section',
    'h1',
    'h3',
    'ul',
    'ol',
    'li',
    'dl',
    'dt',
    'dd',
    'table',
    'caption',
    'thead',
    'tbody',
  ],
  ...[
    'tr',
    'td',
    'th',
    'blockquote',
    'pre',
    'b',
    'i',
    's',
    'code',
    'sup',
    'a',
    'span',
    'font',
    'q',
    'form',
    'button',
  ],
  ...[
    'label',
    'details',
    'summary',
    'figure',
    'ruby',
    'rt',
    'math',
    'x-own',
    'center',
    'address',
    'nobr',
    'marquee',
  ],
];
const SIGNS = [...'*_`~[]()<>#+-=!|&;:.\\/"\'$^{}1'].map((sign) =>
  sign.replace('&', '&amp;').replace('<', '&lt;'),
);

/** Tags in any order, opened and never closed or the other way round, with numbered words between them. */
const soup = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constant('WORD') },
      { weight: 3, arbitrary: fc.constantFrom(...WRAPPERS).map((name) => `<${name}>`) },
      { weight: 2, arbitrary: fc.constantFrom(...WRAPPERS).map((name) => `</${name}>`) },
      fc.constantFrom(
        '<br>',
        '<hr>',
        '<input type="checkbox">',
        '<img alt="WORD">',
        '<a href="/x">',
        '<td colspan="2">',
      ),
      { weight: 2, arbitrary: fc.constantFrom(...SIGNS, ' ', '\n') },
    ),
    { minLength: 1, maxLength: 40 },
  )
  .map((pieces) => {
    let words = 0;
    const html = pieces.map((piece) => piece.replace('WORD', () => `w${words++}w`)).join('');
    return { html: `${html} w${words}w`, words: words + 1 };
  });

const wordsOf = (text: string) => (text.match(/w\d+w/g) ?? []).sort();

describe('the words of a page', () => {
  it('all arrive, however broken it is, and none twice', () => {
    fc.assert(
      fc.property(soup, ({ html, words }) => {
        const markdown = markdownOf(html);
        const expected = Array.from({ length: words }, (_, i) => `w${i}w`).sort();
        expect(wordsOf(markdown)).toEqual(expected);
        const { sections } = parseDocument({ text: markdown, format: 'markdown' });
        expect(sections(1_000).length).toBeGreaterThan(0);
      }),
      { numRuns: 2_000 },
    );
  });

  it('are what a Markdown parser reads, with every sign between them', () => {
    const parser = new MarkdownIt({ html: true });
    const text = fc
      .array(
        fc.constantFrom(
          ...SIGNS,
          'a',
          'word',
          ' ',
          ' ',
          '**',
          '](',
          ']:',
          '&amp;lt;',
          '1.',
          '[^1]',
          '| --- |',
        ),
        {
          minLength: 1,
          maxLength: 12,
        },
      )
      .map((pieces) => pieces.join('').replace(/ +/g, ' ').trim());
    const places = [
      '<p>HERE</p>',
      '<h2>HERE</h2>',
      '<ul><li>HERE</ul>',
      '<blockquote>HERE</blockquote>',
      '<p>x<br>HERE</p>',
    ];
    fc.assert(
      fc.property(text, fc.constantFrom(...places, '<table><tr><td>HERE<td>x</table>'), (written, place) => {
        const html = place.replace('HERE', () => `${written}end`);
        const rendered = parser.render(markdownOf(html));
        // The parser's own way to write signs, and the rows that it adds, are no difference.
        const plain = (page: string) => markdownText(page).replace(/\s+/g, '');
        expect(plain(rendered)).toBe(plain(html));
      }),
      { numRuns: 2_000 },
    );
  });
});

const NAMED: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };

/** Text of simple HTML. */
function markdownText(html: string): string {
  return html.replace(/<[^<>]*>/g, ' ').replace(/&(?:amp|lt|gt|quot);/g, (name) => NAMED[name] ?? name);
}
