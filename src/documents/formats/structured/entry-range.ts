/**
 * Where an entry starts as a reader would mark it: with its line when nothing stands before it there and, in YAML, with
 * the comments right above it.
 *
 * @param floor what comes before belongs to something else
 */
export function entryStart(text: string, start: number, floor: number, hasComments: boolean): number {
  const line = startOfLine(text, start, floor);
  return hasComments && isLineStart(text, line) ? aboveComments(text, line, floor) : line;
}

/** Where the line starts that has nothing but white space before `at`; otherwise `at`. */
function startOfLine(text: string, at: number, floor: number): number {
  let line = at;
  while (line > floor + 1 && isSpace(text.charCodeAt(line - 1))) line--;
  return isLineStart(text, line) ? line : at;
}

function aboveComments(text: string, from: number, floor: number): number {
  let line = from;
  while (line > floor + 1) {
    let before = line - 1;
    if (text.charCodeAt(before) === 10 && text.charCodeAt(before - 1) === 13) before--;
    while (before > floor && !isLineStart(text, before)) before--;
    if (before <= floor) break;
    let at = before;
    while (isSpace(text.charCodeAt(at))) at++;
    if (text.charAt(at) !== '#') break;
    line = before;
  }
  return line;
}

/** The end of the comment that follows on the same line; `end` when none does. */
export function behindComment(text: string, end: number): number {
  let at = end;
  while (isSpace(text.charCodeAt(at))) at++;
  if (at === end || text.charAt(at) !== '#') return end;
  while (at < text.length && !isBreak(text.charCodeAt(at))) at++;
  return at;
}

const isSpace = (code: number): boolean => code === 32 || code === 9;
const isBreak = (code: number): boolean => code === 10 || code === 13;
const isLineStart = (text: string, at: number): boolean => at === 0 || isBreak(text.charCodeAt(at - 1));
