import type { Draft } from './draft.ts';

// Offset basis and prime of FNV-1a, and a second pair of the kind, so that the two say different things.
const FIRST_BASIS = 0x811c9dc5;
const FIRST_PRIME = 0x01000193;
const SECOND_BASIS = 0x9e3779b9;
const SECOND_PRIME = 0x85ebca6b;

/**
 * Ids of the form `${path}-${content}`, 8 hex digits each: the first half follows from the texts on the way from the
 * root and from which of the nodes with the same way it is, the second from the node's own text. So an edit elsewhere
 * changes neither, a move only the first and a change of the text only the second.
 *
 * The hashes are made like FNV-1a, by xor and multiplication, and finished as MurmurHash3 is: an id promises nothing to
 * anybody but the document's owner, and a cryptographic hash for each of thousands of nodes took a quarter of the time.
 *
 * @param drafts parents first
 * @param bodyEnds where the nodes' own texts end, in `text`
 */
export function nodeIds(text: string, drafts: readonly Draft[], bodyEnds: readonly number[]): string[] {
  // the ways from the root, 64 bits each: enough to tell any two apart
  const first = new Int32Array(drafts.length);
  const second = new Int32Array(drafts.length);
  const seen = new Map<number, number>();
  return drafts.map((draft, i) => {
    const name = draft.text;
    const above = draft.parent;
    first[i] = hash(name, 0, name.length, above < 0 ? FIRST_BASIS : (first[above] ?? 0), FIRST_PRIME);
    second[i] = hash(name, 0, name.length, above < 0 ? SECOND_BASIS : (second[above] ?? 0), SECOND_PRIME);
    const path = pathPart(first[i] ?? 0, second[i] ?? 0, seen);
    const end = endOfText(text, draft.charStart, bodyEnds[i] ?? draft.charStart);
    const content = hash(text, draft.charStart, end, FIRST_BASIS, FIRST_PRIME);
    return `${hex(path)}-${hex(content)}`;
  });
}

/** No two nodes have the same: of thousands two may come to the same 32 bits by chance, which is as good as equal. */
function pathPart(first: number, second: number, seen: Map<number, number>): number {
  let part = first;
  let occurrence = seen.get(first) ?? 0;
  while (seen.has(part)) part = mix(second ^ Math.imul(++occurrence, SECOND_BASIS));
  seen.set(first, occurrence);
  if (part !== first) seen.set(part, 0);
  return part;
}

/** Two code units a step: one at a time takes half as long again. */
function hash(text: string, start: number, end: number, basis: number, prime: number): number {
  let bits = basis;
  let at = start;
  for (; at + 1 < end; at += 2) {
    bits = Math.imul(bits ^ text.charCodeAt(at) ^ (text.charCodeAt(at + 1) << 16), prime);
    // a product carries upwards only
    bits ^= bits >>> 15;
  }
  if (at < end) bits = Math.imul(bits ^ text.charCodeAt(at), prime);
  return mix(bits ^ (end - start));
}

/** The last step of MurmurHash3 for 32 bits: every bit depends on all. */
function mix(bits: number): number {
  let mixed = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

function endOfText(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && /\s/.test(text.charAt(at - 1))) at--;
  return at;
}

const hex = (bits: number): string => (bits >>> 0).toString(16).padStart(8, '0');
