import type { Converted } from './converted.ts';
import { plain } from './text.ts';

/** Converts Markdown: the text as it is. */
export function convertMarkdown(bytes: Uint8Array): Converted {
  return plain(bytes, 'markdown');
}
