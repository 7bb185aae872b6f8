import { parse } from 'yaml';

export interface FrontMatter {
  data: unknown;
  body: string;
}

const OPENING = /^\uFEFF?---[ \t]*\r?\n/;
const CLOSING = /^---[ \t]*$/m;

/**
 * Splits a Markdown text into its YAML front matter and its body (trimmed, with `\n` line ends).
 *
 * @throws Error when there is no front matter or its YAML is not valid.
 */
export function splitFrontMatter(text: string): FrontMatter {
  const opening = OPENING.exec(text);
  if (opening === null) throw new Error('it does not begin with front matter (a line "---")');
  const rest = text.slice(opening[0].length).replaceAll('\r\n', '\n');
  const closing = CLOSING.exec(rest);
  if (closing === null) throw new Error('its front matter is not closed by a line "---"');
  const data: unknown = parse(rest.slice(0, closing.index));
  return { data, body: rest.slice(closing.index + closing[0].length).trim() };
}
