import MarkdownIt, { type Token } from 'markdown-it';
import { contentStart } from './front-matter.ts';
import { lineStarts } from './lines.ts';

interface BlockTokens {
  tokens: Token[];
  /** Offsets at which the lines start that the parser saw, into the text as given, and the text's length. */
  starts: number[];
  /** What the parser of inline Markdown needs: the link definitions. */
  env: Record<string, unknown>;
}

// Block structure only: inline parsing would cost four times as much, and nothing here needs it.
const parser = new MarkdownIt({ html: true });
parser.core.ruler.enableOnly(['normalize', 'block']);

// The package's own token defines its properties one by one, in more than half of the whole time: 39 ms instead of 17
// for a megabyte. And of closing tokens nothing is read but their level: one for each level will do.
const closing: Token[] = [];
parser.block.State = class extends parser.block.State {
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
  return { tokens: parser.parse(content, env), starts, env };
}
