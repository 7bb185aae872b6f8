import { convertHtml } from '../../../../src/documents/formats/html/convert.ts';

/** The Markdown of a page, without the line end behind it. */
export function markdownOf(html: string): string {
  return convertHtml(Buffer.from(html)).markdown.trimEnd();
}

export function fidelityOf(html: string) {
  return convertHtml(Buffer.from(html)).fidelity;
}

/** What was left behind, by its kind. */
export function lossesOf(html: string): Record<string, number> {
  return Object.fromEntries(fidelityOf(html).losses.map(({ kind, count }) => [kind, count]));
}
