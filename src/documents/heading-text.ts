import MarkdownIt, { type Token } from 'markdown-it';

const LONGEST = 200;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
const SPACE = /[\s\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;
// anything but single spaces: most lines have none of it, and replacing every space by itself takes its time. One class
// of characters and a search for two spaces: with alternatives the expression takes twice as long
// biome-ignore lint/suspicious/noControlCharactersInRegex: see above
const ODD_SPACE = /[\u0000-\u001f\u007f-\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]/;
const parser = new MarkdownIt({ html: true });

/**
 * A heading's Markdown as plain text of one line and at most 200 characters: no emphasis, links, images or HTML.
 *
 * @param env what the block parser gathered: a `[Name]` that is defined somewhere is a link then
 */
export function headingText(title: string, env: Record<string, unknown> = {}): string {
  // nothing of what is cut off would be shown
  let raw = title.slice(0, LONGEST * 4);
  // the parser takes its time: anchors, the most common thing in a heading besides text, need none
  if (!/[\\`]/.test(raw)) raw = raw.replace(/<\/?[a-z][^<>]*>/gi, '');
  return oneLine(/[\\`*_[\]<>&!~]/.test(raw) ? plain(parser.parseInline(raw, env)) : raw, LONGEST);
}

/** Text without line ends, control characters and runs of white space, cut to a length in UTF-16 code units. */
export function oneLine(text: string, longest: number): string {
  const line = (ODD_SPACE.test(text) || text.includes('  ') ? text.replace(SPACE, ' ') : text).trim();
  if (line.length <= longest) return line;
  const cut = line.slice(0, longest - 1).trimEnd();
  // not between the halves of a character
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

function plain(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === 'html_inline') return '';
      if (token.type === 'softbreak' || token.type === 'hardbreak') return ' ';
      return token.children ? plain(token.children) : token.content;
    })
    .join('');
}
