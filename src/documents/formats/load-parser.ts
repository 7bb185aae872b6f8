import type { ParsedDocument } from '../structure/parsed-document.ts';
import { type DocumentFormat, textFormatOf } from './registry.ts';

/** Reads a stored text, given the offset at which each page starts, ascending, for a source with pages. */
export type DocumentParser = (text: string, pageStarts?: readonly number[]) => ParsedDocument;

/**
 * Loads what reads the stored texts of a format, each once for all that is made of it. A NUL and half a character become
 * U+FFFD, so that offsets into the text as given hold. Pure; time grows in proportion to the length of the text.
 */
export async function loadParser(format: DocumentFormat): Promise<DocumentParser> {
  const parse = await textFormatOf(format).loadParser();
  return (given, pageStarts = []) => {
    const text = given.replaceAll('\0', '\ufffd').toWellFormed();
    const { sections, outline } = parse(text, pageStarts);
    return { text, pageStarts, sections, outline };
  };
}
