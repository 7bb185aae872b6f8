/** A node before its id and its numbers: what the builders of the formats make. */
export interface Draft {
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

export interface DraftLimits {
  /** Levels that are kept of a huge document, otherwise Infinity. */
  levels: number;
  /** Most nodes. */
  nodes: number;
}

export interface Drafts {
  /** In document order, parents before children. */
  drafts: Draft[];
  /** Something was left out. */
  truncated: boolean;
}

export const LONGEST_TEXT = 200;
export const LONGEST_BLURB = 240;
