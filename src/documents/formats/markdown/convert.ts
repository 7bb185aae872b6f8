import type { Converted } from '../converted.ts';
import { passThrough } from '../text/convert.ts';

/** Converts Markdown: the text as it is. */
export function convertMarkdown(bytes: Uint8Array): Converted<'markdown'> {
  return passThrough(bytes, 'markdown');
}
