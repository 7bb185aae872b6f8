/** The beginning of a text, cut between words and never inside a character. */
export function clip(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length);
  const space = cut.search(/\s\S*$/);
  return space > length / 2 ? cut.slice(0, space) : cut.replace(/[\ud800-\udbff]$/, '');
}

/** On one line, so that a name or a line of state cannot start a block of its own. */
export function inline(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
