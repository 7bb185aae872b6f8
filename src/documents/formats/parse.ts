import type { ParsedDocument } from '../structure/parsed-document.ts';
import { type DocumentFormat, textFormatOf } from './registry.ts';

interface DocumentText {
  text: string;
  format: DocumentFormat;
  /** Offset at which each page starts, ascending, for a source with pages. */
  pageStarts?: readonly number[];
}

/**
 * Reads a stored text by its format, once for all that is made of it. A NUL and half a character become U+FFFD, so that
 * offsets into the text as given hold. Pure; time grows in proportion to the length of the text.
 */
export function parseDocument({ text: given, format, pageStarts = [] }: DocumentText): ParsedDocument {
  const text = given.replaceAll('\0', '\ufffd').toWellFormed();
  const { sections, outline } = textFormatOf(format).parse(text, pageStarts);
  return { text, pageStarts, sections, outline };
}
