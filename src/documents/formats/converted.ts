import type { MeasuredFidelity } from '../../contract/fidelity.ts';

/** The kinds of structure that are counted on both sides. */
export type CountedKind = 'headings' | 'tables' | 'list_items' | 'links' | 'images' | 'footnotes';

/** How faithful a conversion was. */
export type FidelityReport = MeasuredFidelity;
export type Loss = FidelityReport['losses'][number];

/** A document as the text that is stored, sectioned and searched; `Text` names the formats that it may be in. */
export interface Converted<Text extends string = string> {
  markdown: string;
  /** By which format's rules the text is read. */
  format: Text;
  /** For a format with pages: offset of each page's first character in `markdown`, in UTF-16 units. */
  pageStarts?: number[];
  fidelity: FidelityReport;
}

/** Why a file could not be converted. */
export type ConversionErrorCode =
  | 'corrupt_file'
  | 'encrypted_file'
  | 'zip_bomb'
  | 'wrong_content'
  | 'conversion_timeout'
  | 'conversion_memory'
  | 'conversion_crashed'
  | 'output_too_large'
  | 'no_text'
  | 'no_text_layer'
  | 'too_many_pages'
  | 'unreadable_text'
  | 'low_fidelity';

/** A file that cannot be converted. The message says what happened and what to do, and is safe to show to a caller. */
export class ConversionError extends Error {
  readonly code: ConversionErrorCode;

  constructor(code: ConversionErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'ConversionError';
    this.code = code;
  }
}
