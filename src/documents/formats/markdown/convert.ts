import type { Converted } from '../converted.ts';
import { plain } from '../text/convert.ts';

/** Converts Markdown: the text as it is. */
export function convertMarkdown(bytes: Uint8Array): Converted {
  return plain(bytes, 'markdown');
}
