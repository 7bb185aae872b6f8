import MarkdownIt, { type Token } from 'markdown-it';
import { lineStarts } from '../../../text/lines.ts';
import { contentStart } from './front-matter.ts';

/** A Markdown text as the block parser sees it. */
export interface BlockTokens {
  tokens: Token[];
  /** Offsets at which the lines start that the parser saw, into the text as given, and the text's length. */
  starts: number[];
  /** What the parser of inline Markdown needs: the link definitions. */
  env: Record<string, unknown>;
}

// Block structure only: inline parsing would cost four times as much, and nothing here needs it.
const TAB = 9;
const parser = new MarkdownIt({ html: true });
parser.core.ruler.enableOnly(['block']);

// The package's own token defines its properties one by one, in more than half of the whole time: 39 ms instead of 17
// for a megabyte. And of closing tokens nothing is read but their level: one for each level will do. Its own search for
// lines looks at every character, in another eighth.
const { State } = parser.block;
const closing: Token[] = [];
parser.block.State = class extends State {
  constructor(...[src, md, env, tokens]: ConstructorParameters<typeof State>) {
    super('', md, env, tokens);
    this.src = src;
    this.lineMax = 0;
    for (let start = 0; start < src.length; ) {
      const found = src.indexOf('\n', start);
      const end = found === -1 ? src.length : found;
      let at = start;
      let columns = 0;
      for (; at < end && isSpace(src, at); at++)
        columns += src.charCodeAt(at) === TAB ? 4 - (columns % 4) : 1;
      // White space at the very end is no line, as the package has it.
      if (found === -1 && at === end) break;
      this.markLine(start, end, at - start, columns);
      start = end + 1;
    }
    this.markLine(src.length, src.length, 0, 0);
    this.lineMax--;
  }

  private markLine(start: number, end: number, indent: number, columns: number): void {
    const line = this.lineMax++;
    this.bMarks[line] = start;
    this.eMarks[line] = end;
    this.tShift[line] = indent;
    this.sCount[line] = columns;
    this.bsCount[line] = 0;
  }

  override push(type: string, tag: string, nesting: -1 | 0 | 1): Token {
    if (nesting < 0) {
      this.level--;
      closing[this.level] ??= blockToken('close', '', -1, this.level);
    }
    const shared = nesting < 0 ? closing[this.level] : undefined;
    const token = shared ?? blockToken(type, tag, nesting, this.level);
    if (nesting > 0) this.level++;
    this.tokens.push(token);
    return token;
  }
};

const isSpace = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at);
  return code === 32 || code === TAB;
};

/** A token without the methods for attributes, which no block rule calls. */
function blockToken(type: string, tag: string, nesting: -1 | 0 | 1, level: number): Token {
  return {
    type,
    tag,
    nesting,
    level,
    attrs: null,
    map: null,
    children: null,
    content: '',
    markup: '',
    info: '',
    meta: null,
    block: true,
    hidden: false,
  } as Token;
}

/** The block tokens of a Markdown text behind its front matter, by CommonMark's rules and GFM's tables. */
export function blockTokens(text: string): BlockTokens {
  const from = contentStart(text);
  const content = from === 0 ? text : text.slice(from);
  const starts = lineStarts(content);
  if (from > 0) for (let i = 0; i < starts.length; i++) starts[i] = (starts[i] ?? 0) + from;
  const env = {};
  return { tokens: parser.parse(normalise(content), env), starts, env };
}

/** As the parser wants it: line ends of one kind, no NUL. The lines stay the same. */
function normalise(text: string): string {
  const lines = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
  return lines.includes('\0') ? lines.replaceAll('\0', '\ufffd') : lines;
}
