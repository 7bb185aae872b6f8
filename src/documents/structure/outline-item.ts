/** A node of an outline as the reader of a format gives it, before its id and its numbers. */
export interface OutlineItem {
  /** Index of its parent among the items; -1 on top. */
  parent: number;
  /** How far down the tree, from 1. */
  depth: number;
  /** What a client sees as its level: a heading's number, otherwise the depth. */
  level: number;
  /** The heading, the key or what else names it: one line of at most `MAX_ITEM_TEXT`. */
  text: string;
  /** What is in it: one line of at most `MAX_BLURB`, or empty. */
  blurb: string;
  charStart: number;
  charEnd: number;
}

/** How much of a document an outline may have. */
export interface OutlineLimits {
  /** Levels that are kept of a huge document, otherwise Infinity. */
  levels: number;
  /** Most nodes. */
  nodes: number;
}

/** The items of a document, as many as the limits leave. */
export interface OutlineItems {
  /** In document order, parents before children. */
  items: OutlineItem[];
  /** Something was left out. */
  truncated: boolean;
}

/** Longest text and blurb of an item, in UTF-16 code units. */
export const MAX_ITEM_TEXT = 200;
export const MAX_BLURB = 240;
