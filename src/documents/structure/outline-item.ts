/** A node before its id and its numbers: what the builders of the formats make. */
export interface OutlineItem {
  /** Index of its parent among the drafts; -1 on top. */
  parent: number;
  /** How far down the tree, from 1. */
  depth: number;
  /** What a client sees as its level: a heading's number, otherwise the depth. */
  level: number;
  text: string;
  blurb: string;
  charStart: number;
  charEnd: number;
}

export interface OutlineLimits {
  /** Levels that are kept of a huge document, otherwise Infinity. */
  levels: number;
  /** Most nodes. */
  nodes: number;
}

export interface OutlineItems {
  /** In document order, parents before children. */
  items: OutlineItem[];
  /** Something was left out. */
  truncated: boolean;
}

export const MAX_ITEM_TEXT = 200;
export const MAX_BLURB = 240;
