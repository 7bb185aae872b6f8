import { type Entry, type Inside, inside } from './entry.ts';
import { noteMember, titleOf } from './record-member.ts';

/** Elements without a title become nodes only at the beginning of an array. */
const UNNAMED_ELEMENTS = 10;

/** Takes what a reader of JSON or YAML comes across, in order, and makes a tree of it. */
export interface TreeBuilder {
  /** A key, which stands at `start`; the next value is its own. */
  key(text: string, start: number): void;
  scalar(text: string, plain: boolean, start: number, end: number): void;
  open(isObject: boolean, start: number): void;
  close(end: number): void;
  /** Whether what comes next belongs into an object, and whether it has its key already. */
  isInObject: () => boolean;
  hasKey: () => boolean;
  /** Objects and arrays that are open. */
  depth: () => number;
  /** The values on top: one, or several documents. */
  documents: Entry[];
  /** Something was left out: it lies too deep, or there is too much on its level. */
  isCut: () => boolean;
}

/**
 * Nothing is kept of values that cannot become nodes (the scalars of an array, what is in an element without a title,
 * what lies deeper than `levels`, more than `most` on a level) but what describes the one that holds them: the memory
 * it takes is bounded, whatever the text.
 */
export function treeBuilder({ levels, most }: { levels: number; most: number }): TreeBuilder {
  const documents: Entry[] = [];
  const open: Entry[] = [];
  // entries kept on each level; 0 is that of documents
  const counts: number[] = [];
  let key: string | null = null;
  let keyStart = 0;
  let cut = false;

  const add = (text: string, plain: boolean, start: number, end: number, within: Inside | null): Entry => {
    const parent = open[open.length - 1]?.inside;
    const isMember = parent?.isObject === true;
    const entry = {
      key: isMember ? key : null,
      start: isMember ? keyStart : start,
      end,
      text,
      plain,
      inside: within,
    };
    key = null;
    if (parent) noteMember(parent, entry);
    const isKept = keep(entry, parent);
    if (within) within.isKept = isKept;
    return entry;
  };

  const keep = (entry: Entry, parent: Inside | null | undefined): boolean => {
    if (parent && (!parent.isKept || (!parent.isObject && !entry.inside))) return false;
    // a document without anything in it
    if (!parent && !entry.inside && entry.plain && entry.text === '') return false;
    const level = open.length;
    const count = counts[level] ?? 0;
    if (level > levels || count >= most) {
      cut = true;
      return false;
    }
    counts[level] = count + 1;
    (parent?.entries ?? documents).push(entry);
    return true;
  };

  /** Takes an element out again that turned out to have no title. */
  const drop = (entry: Entry, level: number): void => {
    counts[level] = (counts[level] ?? 0) - 1;
    for (const one of entry.inside?.entries ?? []) drop(one, level + 1);
  };

  return {
    documents,
    isCut: () => cut,
    depth: () => open.length,
    isInObject: () => open[open.length - 1]?.inside?.isObject === true,
    hasKey: () => key !== null,
    key: (text, start) => {
      key = text;
      keyStart = start;
    },
    scalar: (text, plain, start, end) => {
      add(text, plain, start, end, null);
    },
    open: (isObject, start) => {
      const index = open[open.length - 1]?.inside?.count ?? 0;
      open.push(add('', false, start, start, inside(isObject, index)));
    },
    close: (end) => {
      const entry = open.pop();
      const within = entry?.inside;
      if (!entry || !within) return;
      entry.end = end;
      const parent = open[open.length - 1]?.inside;
      if (!parent) return;
      if (parent.isObject) {
        if (entry.key === 'metadata' && within.titleRank === 0) parent.metadataName = within.title;
      } else if (within.isKept && within.index >= UNNAMED_ELEMENTS && titleOf(within) === '') {
        parent.entries.pop();
        drop(entry, open.length);
      }
    },
  };
}
