import type { Tally } from '../../to-markdown/tally.ts';
import type { XmlElement, XmlNode } from '../package/xml.ts';
import type { OpenField } from './fields.ts';
import type { Links } from './links.ts';
import type { Numbering } from './numbering.ts';
import type { StyleSheet } from './styles.ts';

/** What is known while one part of a document is rewritten. */
export interface Context {
  styles: StyleSheet;
  numbering: Numbering;
  tally: Tally;
  links: Links;
  /** Whether there is a note of that kind and id: a reference to a missing one is dropped. */
  hasNote(kind: 'footnote' | 'endnote', id: string): boolean;
  /** Charts and diagrams by relationship id, already made into paragraphs and tables. */
  graphics: ReadonlyMap<string, XmlNode[]>;
  fields: OpenField[];
  /** Whether the part is repeated on every page, so that a page's number in it is not the one that was stored. */
  isRepeated: boolean;
  /** Whether a fixed-width font marks code in this document, instead of being its ordinary face. */
  fontMarksCode: boolean;
  /** Bookmarks met since the last heading or paragraph with text began. */
  bookmarks: string[];
  /** Paragraphs of the body, in order, with what the search for headings set in bold needs to know. */
  outline: OutlineParagraph[];
}

/** A paragraph of the body as the search for pseudo-headings sees it. */
export interface OutlineParagraph {
  /** The rewritten paragraph, or undefined for a table. */
  element: XmlElement | undefined;
  text: string;
  kind: 'heading' | 'title' | 'plain' | 'list' | 'continued' | 'other';
  /** All its letters are bold. */
  bold: boolean;
  /** Largest size of its letters, in half points; 0 if the document does not say. */
  size: number;
  /** The list label in front of it, if it is numbered. */
  label: string;
  numId: string | undefined;
  /** Names that links lead here by. */
  bookmarks: string[];
  /** It is set in by more than its style says. */
  setIn: boolean;
  /** It is a line of the table of contents. */
  inContents: boolean;
}
