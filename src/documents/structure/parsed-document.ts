import type { OutlineItems, OutlineLimits } from './outline-item.ts';
import type { ParsedSection } from './section.ts';

/** What the reader of a format found in a text. Both views are of one reading: what they share is parsed once. */
export interface DocumentStructure {
  /**
   * The sections, in order. They cover the document but for white space before the first one.
   *
   * @param longestValue characters above which a value of a structured text becomes sections of its own
   */
  sections(longestValue: number): ParsedSection[];
  /** The items of the outline, in document order, within the limits. */
  outline(limits: OutlineLimits): OutlineItems;
}

/** A document's text with what was found in it. */
export interface ParsedDocument extends DocumentStructure {
  /** What all offsets are into: as it was given, but for NUL and half characters, which are U+FFFD in it. */
  text: string;
  /** Offset at which each page starts, ascending; empty for a document without pages. */
  pageStarts: readonly number[];
}
