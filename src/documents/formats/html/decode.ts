import { decodeText } from '../text/decode.ts';

/** A page names its encoding at its start, by the standard within 1,024 bytes; not every page keeps to that. */
const LOOKED_AT = 8_192;

/** The encoding in the page's first `<meta charset="...">` or `<meta http-equiv content="...; charset=...">`. */
function namedEncoding(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, LOOKED_AT)).toString('latin1');
  const visible = start.replace(/<!--.*?(?:-->|$)/gs, '');
  for (const [tag] of visible.matchAll(/<meta[\s/][^>]*>/gi)) {
    const name = /charset\s*=\s*["']?\s*([^\s"'/>;]+)/i.exec(tag)?.[1];
    if (name !== undefined) return name;
  }
  return undefined;
}

/**
 * The text of a page: in the encoding of its byte order mark, in the one that it names, in UTF-8 or in Windows-1252.
 *
 * @throws ConversionError `unreadable_text`
 */
export function decodeHtml(bytes: Uint8Array): string {
  return decodeText(bytes, namedEncoding(bytes));
}
