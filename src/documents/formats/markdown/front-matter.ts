const OPENING = /^---[ \t]*(?:\r\n?|\n)/;
const CLOSING = /^(?:---|\.\.\.)[ \t]*$/;
const KEY = /^[^\s#:>*[{|`-][^:]{0,200}:(?:\s|$)/;

/**
 * Where a Markdown text's own content starts: behind a byte order mark and YAML front matter (`---` lines around
 * `key: value`), which every Markdown parser would read as a heading. 0 when there is neither; what starts with a
 * thematic break and not with a key is no front matter.
 */
export function contentStart(text: string): number {
  const bom = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const opening = OPENING.exec(text.slice(bom, bom + 200));
  if (!opening) return bom;
  let sawKey = false;
  let sawComment = false;
  let at = bom + opening[0].length;
  while (at < text.length) {
    const end = lineEnd(text, at);
    const line = text.slice(at, end.content);
    if (CLOSING.test(line)) return sawComment && !sawKey ? bom : end.next;
    if (line.startsWith('#')) {
      // It may be a heading too.
      sawComment = true;
    } else if (!sawKey && line.trim() !== '') {
      if (!KEY.test(line)) return bom;
      sawKey = true;
    }
    at = end.next;
  }
  return bom;
}

function lineEnd(text: string, from: number): { content: number; next: number } {
  let at = from;
  while (at < text.length && text.charCodeAt(at) !== 10 && text.charCodeAt(at) !== 13) at++;
  if (at === text.length) return { content: at, next: at };
  const crlf = text.charCodeAt(at) === 13 && text.charCodeAt(at + 1) === 10;
  return { content: at, next: at + (crlf ? 2 : 1) };
}
