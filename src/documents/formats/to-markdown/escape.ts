const WORD = /[\p{L}\p{N}]/u;

/** Signs between spaces open and close nothing; at the start of a text they may begin a list or a rule. */
function standsAlone(text: string, from: number, to: number): boolean {
  return from > 0 && /\s/.test(text[from - 1] ?? ' ') && /\s/.test(text[to] ?? ' ');
}

/** Underscores within a word, and blanks to fill in, are text to a Markdown parser; others may be emphasis. */
function escapeUnderscores(run: string, at: number, text: string): string {
  const end = at + run.length;
  const withinWord = WORD.test(text[at - 1] ?? '') && WORD.test(text[end] ?? '');
  return withinWord || standsAlone(text, at, end) ? run : run.replace(/_/g, '\\_');
}

/**
 * Escapes what Markdown would read as markup, and no more: text is searched and read as it stands, so that `snake_case`,
 * `5 * 3` and `[1]` stay what they are. Called for each text node, whose start may be the start of a line.
 */
export function escapeText(text: string): string {
  return text
    .replace(/\\(?=[!-/:-@[-`{-~]|$)/g, '\\\\')
    .replace(/`/g, '\\`')
    .replace(/\*/g, (star, at: number) => (standsAlone(text, at, at + 1) ? star : '\\*'))
    .replace(/_+/g, escapeUnderscores)
    .replace(/~(?=~)/g, '\\~')
    .replace(/\](?=[(:[])/g, '\\]')
    .replace(/\[(?=\^)/g, '\\[')
    .replace(/<(?=[a-z/!?])/gi, '\\<')
    .replace(/&(?=#?\w{1,31};)/g, '\\&')
    .replace(/^(#{1,6}(?=\s|$)|>|[-+](?=\s|$)|={1,}\s*$|-{2,}\s*$|~{3}|[|:-](?=[-|:\s]*$))/, '\\$1')
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2');
}

/** In places where no list can begin (a heading, a cell) a number at the start needs no escape. */
export function unescapeNumber(markdown: string): string {
  return markdown.replace(/^(\d{1,9})\\([.)])/, '$1$2');
}

/** Text as HTML. */
export function escapeHtml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}

/** An address as the destination of a Markdown link. */
export function linkDestination(address: string): string {
  const encoded = address.replace(/[\s<>]/g, (character) => encodeURIComponent(character));
  return encoded.replace(/[()\\]/g, '\\$&');
}
