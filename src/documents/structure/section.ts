import type { Block } from './blocks.ts';

/**
 * A stretch of a document under one heading. Offsets, here and in everything made of a document, are UTF-16 code units
 * into its stored text, end exclusive: `text.slice(charStart, charEnd)`.
 */
export interface Section {
  /** Headings from the outermost to this section's own; empty before the first heading. */
  headerPath: string[];
  /** Level of its heading, 1 to 3; 0 before the first heading. */
  level: number;
  charStart: number;
  charEnd: number;
  /** First page of it, where the source has pages. */
  page: number | null;
}

/** A section with the blocks that it is made of, as the reader of its format found them. */
export interface ParsedSection {
  section: Section;
  blocks: Block[];
  /** There is something in it besides its heading. */
  hasBody: boolean;
}
