import type { DocumentStructure } from '../structure/parsed-document.ts';
import type { Converted } from './converted.ts';

/** A kind of file name, and what such a file is called on the wire. */
export interface FileType {
  /** With its dot, in lower case: `.docx`. */
  extension: string;
  /** No two formats share one: a stored media type says which format a file was recognised as. */
  mediaType: string;
}

/** How content is known to be of a format by its bytes. */
export interface ContentMarks {
  /** What such a file is called in a message, with its article: `a PDF document`. */
  called: string;
  /** Whether the content is of this format beyond doubt, whatever the file's name is. */
  identify(bytes: Buffer): boolean;
  /**
   * For a format whose files bear their mark without exception: whether content under one of its extensions does. It
   * decides alone. Without it, content that nothing else is recognised in is let through, for the conversion to explain.
   */
  confirm?(bytes: Buffer): boolean;
}

/** What a conversion has to keep to. */
export interface ConversionLimits {
  /** Most bytes of text (UTF-8) that are of use: a reader may stop when it has more. */
  maxOutputBytes: number;
}

/**
 * A format that can be uploaded: all that the service knows of it. What takes long to load stands behind an `import()`,
 * since the service's own process has this value too and never reads a document. `Text` names the formats that its
 * conversion may give; every one of them is a `TextFormat` of the registry.
 */
export interface Format<Text extends string = string> {
  /** The first is the one to recommend. */
  fileTypes: readonly [FileType, ...FileType[]];
  /** For a format that is known by its bytes; text is whatever nothing else is recognised in. */
  marks?: ContentMarks;
  /**
   * Reads a file. Blocks the thread for as long as it takes, so it is called in a conversion process only, and loads its
   * reader when it is called first.
   *
   * @throws ConversionError
   */
  convert(bytes: Uint8Array, limits: ConversionLimits): Promise<Converted<Text>>;
  /** What the owner of a file can do when it cannot be read; whole sentences. */
  repairAdvice: string;
  /** For a format whose reader takes long to get going: a small file to practise on, with what most files have. */
  sample?(): Promise<Uint8Array>;
}

/** Reads a text, whatever is in it: what breaks the rules of its format is read as far as it makes sense. Pure. */
export type Parser = (text: string, pageStarts: readonly number[]) => DocumentStructure;

/** A format that a document is stored in: its text can be read for sections and an outline. */
export interface TextFormat<Text extends string = string> extends Format<Text> {
  /** Loads what reads a text of this format. */
  loadParser(): Promise<Parser>;
  /**
   * Whether a document has pages, which only the conversion of the original tells. Its stored text alone is plain text.
   */
  hasPages: boolean;
}
