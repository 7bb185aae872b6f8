/** Offsets at which the lines of a text start, for LF, CRLF and lone CR, with the text's length as one more at the end. */
export function lineStarts(text: string): number[] {
  const starts = [0];
  if (text.includes('\r')) {
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code === 10 || (code === 13 && text.charCodeAt(i + 1) !== 10)) starts.push(i + 1);
    }
  } else {
    for (let i = text.indexOf('\n'); i !== -1; i = text.indexOf('\n', i + 1)) starts.push(i + 1);
  }
  if (starts[starts.length - 1] !== text.length || starts.length === 1) starts.push(text.length);
  return starts;
}

/** The range without the blank lines and trailing white space around its text; the first line keeps its indentation. */
export function trimRange(text: string, start: number, end: number): { start: number; end: number } {
  let to = end;
  while (to > start && isSpace(text, to - 1)) to--;
  let from = start;
  let lineStart = from === 0 || isLineEnd(text, from - 1) ? from : -1;
  while (from < to && isSpace(text, from)) {
    from++;
    // a byte order mark is no indentation
    if (isLineEnd(text, from - 1) || text.charCodeAt(from - 1) === 0xfeff) lineStart = from;
  }
  return from === to ? { start: to, end: to } : { start: lineStart === -1 ? from : lineStart, end: to };
}

function isLineEnd(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 10 || code === 13;
}

function isSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code <= 32 ? code === 32 || (code >= 9 && code <= 13) : code >= 0xa0 && /\s/.test(text.charAt(at));
}
