// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
const SPACE = /[\s\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;
// anything but single spaces: most lines have none of it, and replacing every space by itself takes its time. One class
// of characters and a search for two spaces: with alternatives the expression takes twice as long
// biome-ignore lint/suspicious/noControlCharactersInRegex: see above
const ODD_SPACE = /[\u0000-\u001f\u007f-\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]/;

/** Text without line ends, control characters and runs of white space, cut to a length in UTF-16 code units. */
export function oneLine(text: string, longest: number): string {
  const line = (ODD_SPACE.test(text) || text.includes('  ') ? text.replace(SPACE, ' ') : text).trim();
  if (line.length <= longest) return line;
  const cut = line.slice(0, longest - 1).trimEnd();
  // not between the halves of a character
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}
