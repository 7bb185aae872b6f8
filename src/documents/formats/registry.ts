import { csvFormat } from './csv/format.ts';
import { docxFormat } from './docx/format.ts';
import type { FileType, Format, TextFormat } from './format.ts';
import { htmlFormat } from './html/format.ts';
import { jsonFormat } from './json/format.ts';
import { markdownFormat } from './markdown/format.ts';
import { pdfFormat } from './pdf/format.ts';
import { textFormat } from './text/format.ts';
import { yamlFormat } from './yaml/format.ts';

/**
 * Every format there is, by the name that it is stored under. This is the one table: what may be uploaded, how it is
 * recognised, read and explained all follow from it. A new format is a folder, a line here, and its tests.
 */
const FORMATS = {
  docx: docxFormat,
  pdf: pdfFormat,
  html: htmlFormat,
  markdown: markdownFormat,
  text: textFormat,
  yaml: yamlFormat,
  json: jsonFormat,
  csv: csvFormat,
};

/** What a file can be uploaded as. */
export type UploadFormat = keyof typeof FORMATS;

/** What a converted document is stored as: the formats whose text can be read for its structure. */
export type DocumentFormat = {
  [Name in UploadFormat]: (typeof FORMATS)[Name] extends TextFormat ? Name : never;
}[UploadFormat];

// Does not type-check when a conversion gives a format whose text nothing here can read.
const ALL: Readonly<Record<UploadFormat, Format<DocumentFormat>>> = FORMATS;

export const UPLOAD_FORMATS = Object.keys(FORMATS) as UploadFormat[];

export const formatOf = (name: UploadFormat): Format<DocumentFormat> => ALL[name];

/** What the owner of a file can do when it cannot be read, by its format; whole sentences. */
export const repairAdvice = (name: UploadFormat): string => ALL[name].repairAdvice;

export const textFormatOf = (name: DocumentFormat): TextFormat<DocumentFormat> => FORMATS[name];

const isDocumentFormat = (name: UploadFormat): name is DocumentFormat => 'loadParser' in FORMATS[name];

export const DOCUMENT_FORMATS: readonly DocumentFormat[] = UPLOAD_FORMATS.filter(isDocumentFormat);

/** The formats of documents whose pages are known from the original only. */
export const PAGED_FORMATS = DOCUMENT_FORMATS.filter((name) => textFormatOf(name).hasPages);

/** Everything that may be uploaded: messages and the contract are made from it. */
export const ACCEPTED_TYPES: readonly (FileType & { format: UploadFormat })[] = UPLOAD_FORMATS.flatMap(
  (format) => formatOf(format).fileTypes.map((type) => ({ ...type, format })),
);

/** The accepted extensions as a phrase: `.docx, .dotx, ... or .txt`. */
export function acceptedExtensions(): string {
  const all = ACCEPTED_TYPES.map((type) => type.extension);
  return `${all.slice(0, -1).join(', ')} or ${all.at(-1)}`;
}

/** The format that a file was recognised as when it was uploaded, by its media type; undefined when there is none. */
export function formatOfMediaType(mediaType: string): UploadFormat | undefined {
  return ACCEPTED_TYPES.find((type) => type.mediaType === mediaType)?.format;
}
