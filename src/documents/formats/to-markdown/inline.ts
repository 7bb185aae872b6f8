import { linkDestination } from './escape.ts';

/** Text as a code span, between more backticks than stand anywhere in it. */
export function inlineCode(text: string): string {
  const code = text.replace(/\s+/g, ' ');
  if (code.trim() === '') return code;
  const runs = new Set((code.match(/`+/g) ?? []).map((run) => run.length));
  let length = 1;
  while (runs.has(length)) length += 1;
  const ticks = '`'.repeat(length);
  const pad = code.startsWith('`') || code.endsWith('`') ? ' ' : '';
  return `${ticks}${pad}${code}${pad}${ticks}`;
}

/**
 * Emphasised Markdown. Emphasis that ends in a sign and runs into a letter ("**Note:**text") would not be read as
 * emphasis.
 *
 * @param before the text in front of it
 * @param after the text behind it
 */
export function emphasised(mark: string, content: string, before: string, after: string): string {
  if (content.trim() === '') return content;
  const closes = !/[^\p{L}\p{N}\s]$/u.test(content) || !/^[\p{L}\p{N}]/u.test(after);
  const opens = !/^[^\p{L}\p{N}\s]/u.test(content) || !/[\p{L}\p{N}]$/u.test(before);
  return opens && closes ? `${mark}${content}${mark}` : content;
}

/** A picture by its alternative text alone. */
export function image(alternative: string): string {
  const alt = alternative.trim();
  return `![${alt === '' ? 'Image' : alt.replace(/[[\]\\]/g, '\\$&')}]()`;
}

/**
 * A link around Markdown of one line.
 *
 * @param text the same without markup
 */
export function link(content: string, href: string, text: string | null): string {
  // An address that is its own text needs not be there twice.
  if (text === href && /^https?:[^\s<>]+$/i.test(href)) return `<${href}>`;
  return `[${content.trim().replace(/\s*\n\s*/g, ' ')}](${linkDestination(href)})`;
}
