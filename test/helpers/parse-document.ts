import { loadParser } from '../../src/documents/formats/load-parser.ts';
import { DOCUMENT_FORMATS, type DocumentFormat } from '../../src/documents/formats/registry.ts';
import type { ParsedDocument } from '../../src/documents/structure/parsed-document.ts';

const parsers = new Map(
  await Promise.all(DOCUMENT_FORMATS.map(async (format) => [format, await loadParser(format)] as const)),
);

interface DocumentText {
  text: string;
  format: DocumentFormat;
  pageStarts?: readonly number[];
}

/** Reads a text by its format, with all parsers loaded before. */
export function parseDocument({ text, format, pageStarts }: DocumentText): ParsedDocument {
  const parse = parsers.get(format);
  if (!parse) throw new Error(`${format} has no parser`);
  return parse(text, pageStarts);
}
