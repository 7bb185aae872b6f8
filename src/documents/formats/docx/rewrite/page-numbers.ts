/** Words that stand before the number of a page, in the languages with most documents. */
const PAGE = [
  'page|pages|pg|p|pp|seite|seiten|página|pagina|pág|pag|blad|bladzijde|sida|sidan|side|strona|str|strana',
  'стр|страница|сторінка|с|sayfa|halaman|trang|oldal|sivu|σελίδα|σελ|صفحة|עמוד|पृष्ठ|หน้า|第|頁|页|ページ|쪽|페이지|共|총',
].join('|');
const OF = 'of|von|aus|de|sur|di|da|van|av|af|z|ze|od|из|з|dari|/|／|\\||-|–|共|중';
const BEHIND = '页|頁|ページ|쪽|페이지|oldal';

/** Signs that set a page's number off from what stands beside it, or frame it. */
const EDGES = /^[\s\-–—|/.,:;·•~*_()[\]<>]+|[\s\-–—|/,:;·•~*_([\]<>]+$/g;

/** No line of a header is as long as this; a longer text is not searched for the words around the numbers. */
const LONGEST = 2_000;

function numbersPattern(mark: string): RegExp {
  const word = `(?:(?<!\\p{L})(?:${PAGE})\\.?\\s*)`;
  const behind = `(?:\\s*(?:${BEHIND}))?`;
  // The number of all pages may have been typed; then only the word before it tells it from other numbers.
  const total = `\\s*(?:(?:${OF})?\\s*${word}?${mark}|(?:${OF})\\s*${word}?\\d{1,5}(?![\\p{L}\\p{N}]))${behind}`;
  return new RegExp(`${word}?${mark}${behind}(?:[,，]?${total})?`, 'giu');
}

/**
 * A text without the numbers of pages in it, and without the words that belong to them: of `Draft | Page 3 of 10` stays `Draft`.
 *
 * @param mark the character that stands for each number
 */
export function withoutPageNumbers(text: string, mark: string): string {
  if (!text.includes(mark)) return text;
  if (text.length > LONGEST) return text.replaceAll(mark, ' ');
  return text.replace(numbersPattern(mark), ' ').replaceAll(mark, ' ').replace(EDGES, '');
}
