/**
 * A section, or a part of one, of at most the parent maximum: what the model reads. Offsets are those of `Section`.
 */
export interface Parent {
  id: string;
  parentIndex: number;
  headerPath: string[];
  /** The context header of the parent's own section. */
  breadcrumb: string;
  /** `markdown.slice(charStart, charEnd)`. */
  text: string;
  charStart: number;
  charEnd: number;
  page: number | null;
  tokens: number;
}

/** What is embedded and searched. */
export interface Leaf {
  id: string;
  parentId: string;
  /** Position in the document, from 0. */
  leafIndex: number;
  headerPath: string[];
  /** `[Source: name > A > B]`; embedded in front of the text, stored apart from it. */
  breadcrumb: string;
  /** What is searched: the slice of the range and, for a later part of a table, its repeated header row in front. */
  text: string;
  charStart: number;
  charEnd: number;
  page: number | null;
  tokens: number;
  /** sha-256 hex of breadcrumb and text: what the embedding cache and leaf identity stand on. */
  contentHash: string;
  /**
   * Over the leaf maximum because a code fence or a table row is (they stay whole up to the parent maximum), or with a
   * sentence, line or fence in it that had to be cut because it alone was too long.
   */
  oversized: boolean;
}
