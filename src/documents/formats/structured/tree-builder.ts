import { type Collection, type Entry, newCollection } from './entry.ts';
import { recordMember, titleOf } from './record-member.ts';

/** Elements without a title become nodes only at the beginning of an array. */
const UNNAMED_ELEMENTS = 10;

interface TreeLimits {
  /** Levels whose values can become nodes. */
  levels: number;
  /** Most values that can become nodes, on each level. */
  nodesPerLevel: number;
}

/**
 * Takes what a reader of JSON or YAML comes across, in order, and makes a tree of it. Nothing is kept of values that
 * cannot become nodes (the scalars of an array, what is in an element without a title, what lies deeper or is more than
 * the limits have room for) but what describes the one that holds them: the memory it takes is bounded, whatever the
 * text.
 */
export class TreeBuilder {
  /** The values on top: one, or several documents. */
  readonly documents: Entry[] = [];
  /** Something was left out: it lies too deep, or there is too much on its level. */
  isCut = false;

  private readonly limits: TreeLimits;
  /** Objects and arrays that are open, the innermost last. */
  private readonly open: Entry[] = [];
  /** Entries kept on each level; 0 is that of documents. */
  private readonly counts: number[] = [];
  private pendingKey: string | null = null;
  private keyStart = 0;

  constructor(limits: TreeLimits) {
    this.limits = limits;
  }

  /** Whether what comes next belongs into an object. */
  get isInObject(): boolean {
    return this.parent?.isObject === true;
  }

  /** Whether a key was read whose value comes next. */
  get hasKey(): boolean {
    return this.pendingKey !== null;
  }

  /** A key, which stands at `start`; the next value is its own. */
  key(text: string, start: number): void {
    this.pendingKey = text;
    this.keyStart = start;
  }

  scalar(text: string, plain: boolean, start: number, end: number): void {
    this.add(text, plain, start, end, null);
  }

  openCollection(isObject: boolean, start: number): void {
    const collection = newCollection(isObject, this.parent?.count ?? 0);
    this.open.push(this.add('', false, start, start, collection));
  }

  closeCollection(end: number): void {
    const entry = this.open.pop();
    const closed = entry?.collection;
    if (!entry || !closed) return;
    entry.end = end;
    const { parent } = this;
    if (!parent) return;
    if (parent.isObject) {
      if (entry.key === 'metadata' && closed.titleRank === 0) parent.metadataName = closed.title;
    } else if (closed.isKept && closed.index >= UNNAMED_ELEMENTS && titleOf(closed) === '') {
      parent.entries.pop();
      this.forget(entry, this.open.length);
    }
  }

  private get parent(): Collection | null | undefined {
    return this.open[this.open.length - 1]?.collection;
  }

  private add(
    text: string,
    plain: boolean,
    start: number,
    end: number,
    collection: Collection | null,
  ): Entry {
    const { parent } = this;
    const isMember = parent?.isObject === true;
    const entry = {
      key: isMember ? this.pendingKey : null,
      start: isMember ? this.keyStart : start,
      end,
      text,
      plain,
      collection,
    };
    this.pendingKey = null;
    if (parent) recordMember(parent, entry);
    const isKept = this.keep(entry, parent);
    if (collection) collection.isKept = isKept;
    return entry;
  }

  private keep(entry: Entry, parent: Collection | null | undefined): boolean {
    if (parent && (!parent.isKept || (!parent.isObject && !entry.collection))) return false;
    // A document without anything in it is none.
    if (!parent && !entry.collection && entry.plain && entry.text === '') return false;
    const level = this.open.length;
    const count = this.counts[level] ?? 0;
    if (level > this.limits.levels || count >= this.limits.nodesPerLevel) {
      this.isCut = true;
      return false;
    }
    this.counts[level] = count + 1;
    (parent?.entries ?? this.documents).push(entry);
    return true;
  }

  /** Takes an element out of the counts again that turned out to have no title. */
  private forget(entry: Entry, level: number): void {
    this.counts[level] = (this.counts[level] ?? 0) - 1;
    for (const one of entry.collection?.entries ?? []) this.forget(one, level + 1);
  }
}
