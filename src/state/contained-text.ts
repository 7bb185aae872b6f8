// A line that would open a heading, a fence, HTML or a quotation, or make the line above it a heading.
const OPENS_BLOCK = /^[ \t]*(?:#|```|~~~|<|>|=+[ \t]*$|-+[ \t]*$)/;

/** A text as one line: runs of whitespace become one space; longer than `max` characters is cut, with an ellipsis. */
export function inline(text: string, max = Number.POSITIVE_INFINITY): string {
  const line = text.trim().replace(/\s+/g, ' ');
  if (line.length <= max) return line;
  const cut = line.slice(0, max - 1);
  const end = cut.lastIndexOf(' ');
  // A cut inside a surrogate pair would leave half a character.
  return `${(end > max / 2 ? cut.slice(0, end) : cut).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/**
 * A text as a Markdown block that cannot reach beyond itself: where a line of it could open a heading, a fence or HTML and
 * so change the structure of the document around it, the whole is quoted.
 */
export function block(text: string): string {
  const lines = text.trim().split(/\r\n|\r|\n/);
  if (!lines.some((line) => OPENS_BLOCK.test(line))) return lines.join('\n');
  return lines.map((line) => (line === '' ? '>' : `> ${line}`)).join('\n');
}
