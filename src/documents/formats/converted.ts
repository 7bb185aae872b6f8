import type { DocumentFormat } from '../chunking/chunks.ts';

/** How many of a kind the source holds and how many arrived in the Markdown. */
export interface KindCount {
  source: number;
  result: number;
}

/** Something of the source that the Markdown does not have. */
export interface Loss {
  /** What it is: `heading`, `table`, `image`, `comment`, `hidden_text` and the like. */
  kind: string;
  count: number;
  /** One sentence about it, safe to show. */
  detail?: string;
}

/** The kinds of structure that are counted on both sides. */
export type CountedKind = 'headings' | 'tables' | 'list_items' | 'links' | 'images' | 'footnotes';

/** How faithful a conversion was. */
export interface FidelityReport {
  /** 0 to 1: a weighted mean of the shares of the text and of each kind of structure that arrived. */
  score: number;
  /** What was counted, pages where the source has pages; nothing where the text is stored as it came. */
  counts: Partial<Record<CountedKind | 'pages', KindCount>>;
  losses: Loss[];
}

/** A document as the text that is stored, sectioned and searched. */
export interface Converted {
  markdown: string;
  format: DocumentFormat;
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
