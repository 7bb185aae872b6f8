import { lineStarts } from '../../../text/lines.ts';
import type { Member } from '../structured/member.ts';

// A colon further into a line is no longer the end of a key.
const LONGEST_KEY = 300;
const QUOTED = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')(?=[ \t]*:(?:\s|$))/;

interface Lines {
  text: string;
  starts: number[];
  /** Columns before the line's text; -1 for blank lines, comments and directives, -2 for document markers. */
  indents: Int32Array;
}

/**
 * The structure of a YAML text by its indentation alone, without parsing it: what is needed to cut a document at its
 * keys holds for templates and for broken YAML too. A text of several documents has these as its members.
 */
export function yamlMembers(text: string): Member[] {
  const starts = lineStarts(text);
  const lines: Lines = { text, starts, indents: indentsOf(text, starts) };
  const last = starts.length - 1;
  const documents: number[] = [0];
  for (let line = 1; line < last; line++) {
    if (lines.indents[line] === -2 && text.startsWith('---', starts[line])) documents.push(line);
  }
  const ranges = documents.map((from, i) => [from, documents[i + 1] ?? last] as const);
  const filled = ranges.filter(([from, to]) =>
    lines.indents.subarray(from, to).some((indent) => indent >= 0),
  );
  const [only] = filled;
  if (!only) return [];
  if (filled.length === 1) return membersOf(lines, 0, last, true);
  return filled.map(([from, to], i) => ({
    key: documentTitle(text.slice(starts[from], starts[to]), i),
    start: i === 0 ? 0 : (starts[from] ?? 0),
    end: starts[filled[i + 1]?.[0] ?? last] ?? text.length,
    members: () => membersOf(lines, from, to, true),
  }));
}

/** The members among the lines `from` to before `to`; `whole`: what stands before the first belongs to it. */
function membersOf(lines: Lines, from: number, to: number, whole: boolean): Member[] {
  let first = from;
  while (first < to && (lines.indents[first] ?? -1) < 0) first++;
  if (first === to) return [];
  const indent = lines.indents[first] ?? 0;
  const found: { from: number; line: number; key: string }[] = [];
  let element = 0;
  let previousKey = '';
  for (let line = first; line < to; line++) {
    const at = lines.indents[line] ?? -1;
    if (at < 0 || at > indent) continue;
    const content = contentOf(lines, line);
    const isElement = /^-(?:\s|$)/.test(content);
    // `}` and `]` close what came before, and a list may stand under its key without being indented
    if (found.length > 0 && (/^[}\]]/.test(content) || (isElement && previousKey !== ''))) continue;
    previousKey = isElement ? '' : keyOf(content);
    const key = isElement ? `[${element++}]` : previousKey;
    found.push({ from: leadingComments(lines, line, from), line, key });
  }
  return found.map((member, i) => {
    const next = found[i + 1]?.from ?? to;
    return {
      key: member.key,
      start: lines.starts[i === 0 && whole ? from : member.from] ?? 0,
      end: lines.starts[next] ?? lines.text.length,
      members: () => membersOf(lines, member.line + 1, next, false),
    };
  });
}

/** The first of the comment lines right above a line: they speak of what comes after them. */
function leadingComments(lines: Lines, line: number, from: number): number {
  let at = line;
  while (at > from && lines.indents[at - 1] === -1 && contentOf(lines, at - 1).startsWith('#')) at--;
  return at;
}

function contentOf({ text, starts }: Lines, line: number): string {
  const start = starts[line] ?? 0;
  return text.slice(start, Math.min(starts[line + 1] ?? start, start + LONGEST_KEY)).trim();
}

function keyOf(content: string): string {
  const quoted = QUOTED.exec(content)?.[0];
  if (quoted) return quoted.slice(1, -1);
  const colon = content.search(/:(?:\s|$)/);
  return colon === -1 || /^["'#&*!|>%@`[\]{},]/.test(content) ? '' : content.slice(0, colon).trim();
}

function indentsOf(text: string, starts: readonly number[]): Int32Array {
  const indents = new Int32Array(starts.length - 1);
  for (let line = 0; line < indents.length; line++) {
    const start = starts[line] ?? 0;
    let at = start;
    while (text.charCodeAt(at) === 32 || text.charCodeAt(at) === 9) at++;
    const code = text.charCodeAt(at);
    const blank =
      at >= (starts[line + 1] ?? 0) ||
      code === 10 ||
      code === 13 ||
      code === 35 ||
      (at === start && code === 37);
    const marker = at === start && (text.startsWith('---', at) || text.startsWith('...', at));
    indents[line] = blank ? -1 : marker ? -2 : at - start;
  }
  return indents;
}

/** Kubernetes style documents are known by their kind and name. */
function documentTitle(text: string, index: number): string {
  const head = text.slice(0, 4_000);
  const kind = /^kind:[ \t]*([^\s#]{1,100})/m.exec(head)?.[1];
  const name = /^metadata:[ \t]*\r?\n(?:[ \t]+.*\r?\n)*?[ \t]+name:[ \t]*([^\s#]{1,100})/m.exec(head)?.[1];
  return kind ? [kind, name].filter(Boolean).join(' ') : `Document ${index + 1}`;
}
