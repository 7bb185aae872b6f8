const QUOTATION = /[“"„]([^“”"„]{12,})[”"]/g;
const ENDED = /[.!?…:][)\]"'”’*_]*$/;
const BEFORE =
  /(?:^|[.!?:][)\]"'”’*_]*\s+|\n[ \t]*\n[ \t]*|(?:^|\n)[ \t]*(?:[-*+>]|#{1,6}|\d{1,3}[.)])[ \t]+(?:\[[ x]\][ \t]+)?|\|[ \t]*)[*_]*$/;
const AFTER = /^[*_]*(?:[.!?]|[ \t]*(?:$|\||\n[ \t]*(?:$|\n|[-*+>#|]|\d{1,3}[.)])))/;

/**
 * What a reply quotes from a text without its beginning or its end: quotations that stand in one of the texts, but not as a whole
 * sentence, list item, table cell or row, or heading. Quotations from elsewhere (the user's words) are not looked at.
 */
export function brokenQuotes(reply: string, texts: readonly string[]): string[] {
  return [...reply.matchAll(QUOTATION)]
    .map(([, quote = '']) => quote.trim())
    .filter((quote) => {
      const places = texts.flatMap((text) => placesOf(text, quote));
      return places.length > 0 && !places.some(({ before, after }) => isWhole(quote, before, after));
    });
}

function isWhole(quote: string, before: string, after: string): boolean {
  return BEFORE.test(before) && (ENDED.test(quote) || AFTER.test(after));
}

function placesOf(text: string, quote: string): { before: string; after: string }[] {
  const words = quote.split(/\s+/).map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return [...text.matchAll(new RegExp(words.join('\\s+'), 'g'))].map((match) => ({
    before: text.slice(Math.max(0, match.index - 200), match.index),
    after: text.slice(match.index + match[0].length, match.index + match[0].length + 200),
  }));
}
