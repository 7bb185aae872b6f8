import MarkdownIt, { type Token } from 'markdown-it';
import { oneLine } from '../../../text/one-line.ts';

const LONGEST = 200;
const parser = new MarkdownIt({ html: true });

/**
 * A heading's Markdown as plain text of one line and at most 200 characters: no emphasis, links, images or HTML.
 *
 * @param env what the block parser gathered: a `[Name]` that is defined somewhere is a link then
 */
export function headingText(title: string, env: Record<string, unknown> = {}): string {
  // Nothing of what is cut off would be shown.
  let raw = title.slice(0, LONGEST * 4);
  // The parser takes its time: anchors, the most common thing in a heading besides text, need none.
  if (!/[\\`]/.test(raw)) raw = raw.replace(/<\/?[a-z][^<>]*>/gi, '');
  return oneLine(/[\\`*_[\]<>&!~]/.test(raw) ? plain(parser.parseInline(raw, env)) : raw, LONGEST);
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
