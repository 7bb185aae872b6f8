/** A leaf of a document, and whether a context is to be written for it. */
export interface LeafToPlace {
  contentHash: string;
  parentId: string;
  headerPath: readonly string[];
  charStart: number;
  charEnd: number;
  tokens: number;
  isWanted: boolean;
}

/** A part of a document that a model reads as a whole, and the calls over it. */
export interface DocumentPart {
  /** From 1. */
  number: number;
  of: number;
  /** Of the document's text. */
  charStart: number;
  charEnd: number;
  /** Of its leaves. */
  tokens: number;
  /** The leaves of each call. */
  calls: LeafToPlace[][];
}

/** What the calls for a document are. */
export interface ContextPlan {
  /** Those with a leaf to be placed, in their order. */
  parts: DocumentPart[];
  /** The headings of the whole document, where a part does not show them; else empty. */
  outline: string[];
}

/**
 * Passages of one call. Each call reads the part again, if only at the price of the cache: fewer calls cost less. A reply of ten has
 * some 800 tokens, which small models write without losing count.
 */
const LEAVES_PER_CALL = 10;
/** And their tokens, so that unusually long ones come by themselves. */
const TOKENS_PER_CALL = 4_000;

/**
 * Cuts a document into parts, and its wanted leaves into calls. What it gives follows from the leaves alone: a run that goes on after
 * another was broken off has the same parts, and so has a dry run.
 *
 * @param leaves all of the document, in their order; of those with the same content one is placed
 * @param partTokens the most tokens of a part; sections stay whole, and may make it longer by half of one
 */
export function planContexts(leaves: readonly LeafToPlace[], partTokens: number): ContextPlan {
  const parts = inParts(leaves, partTokens);
  const seen = new Set<string>();
  const planned = parts.map((part, index) => ({
    number: index + 1,
    of: parts.length,
    ...extentOf(part),
    tokens: sum(part),
    calls: inCalls(part.filter((leaf) => leaf.isWanted && isNew(seen, leaf.contentHash))),
  }));
  return {
    parts: planned.filter(({ calls }) => calls.length > 0),
    outline: parts.length > 1 ? headingsOf(leaves) : [],
  };
}

/** Parts of about the same size: a section goes to the one that its middle is in. */
function inParts(leaves: readonly LeafToPlace[], partTokens: number): LeafToPlace[][] {
  const total = sum(leaves);
  const size = total / Math.max(1, Math.ceil(total / partTokens));
  const parts = new Map<number, LeafToPlace[]>();
  let before = 0;
  for (const section of inSections(leaves)) {
    const tokens = sum(section);
    const part = Math.floor((before + tokens / 2) / size);
    const known = parts.get(part) ?? [];
    for (const leaf of section) known.push(leaf);
    parts.set(part, known);
    before += tokens;
  }
  return [...parts.values()];
}

/** Where leaves begin and end. There may be more of them than a function takes arguments. */
function extentOf(leaves: readonly LeafToPlace[]): Pick<DocumentPart, 'charStart' | 'charEnd'> {
  let [charStart, charEnd] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const leaf of leaves) {
    charStart = Math.min(charStart, leaf.charStart);
    charEnd = Math.max(charEnd, leaf.charEnd);
  }
  return { charStart, charEnd };
}

const sum = (leaves: readonly LeafToPlace[]): number =>
  leaves.reduce((total, { tokens }) => total + tokens, 0);

function isNew(seen: Set<string>, hash: string): boolean {
  if (seen.has(hash)) return false;
  seen.add(hash);
  return true;
}

function inSections(leaves: readonly LeafToPlace[]): LeafToPlace[][] {
  const sections: LeafToPlace[][] = [];
  for (const leaf of leaves) {
    const last = sections.at(-1);
    if (last && last[0]?.parentId === leaf.parentId) last.push(leaf);
    else sections.push([leaf]);
  }
  return sections;
}

function inCalls(leaves: readonly LeafToPlace[]): LeafToPlace[][] {
  const calls: LeafToPlace[][] = [];
  for (const leaf of leaves) {
    const last = calls.at(-1);
    const hasRoom = last && last.length < LEAVES_PER_CALL && sum(last) + leaf.tokens <= TOKENS_PER_CALL;
    if (hasRoom) last.push(leaf);
    else calls.push([leaf]);
  }
  return calls;
}

function headingsOf(leaves: readonly LeafToPlace[]): string[] {
  const headings = new Set(leaves.map(({ headerPath }) => headerPath.join(' > ')));
  headings.delete('');
  return [...headings];
}
