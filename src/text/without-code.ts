/** Code between backticks, a tag, a piece without blanks, or blanks: there is one of them everywhere. */
const NEXT = /(`[^`\n]*`|<[^>\n]{1,200}>)|(\S+)|\s+/y;
/** What no word of prose has: paths, addresses, identifiers, expressions. */
const MARK = /[\\/_{}=<>@#]/;

/**
 * A text with a blank for each thing in it that is code: between backticks, a tag, or a piece with one of the marks of code.
 * Goes through it once, however long its pieces are: scripts without blanks have no others.
 */
export function withoutCode(text: string): string {
  const next = new RegExp(NEXT);
  let prose = '';
  while (next.lastIndex < text.length) {
    const from = next.lastIndex;
    const [whole = '', code, piece = ''] = next.exec(text) ?? [];
    if (code !== undefined || MARK.test(piece)) {
      prose += ' ';
      continue;
    }
    // code between backticks may begin within a piece
    const backtick = whole.indexOf('`', 1);
    const kept = backtick < 0 ? whole : whole.slice(0, backtick);
    prose += kept;
    next.lastIndex = from + kept.length;
  }
  return prose;
}
