import type { OutlineItem } from '../structure/outline-item.ts';

// Offset basis and prime of FNV-1a, and a second pair of the kind, so that the two say different things.
const FIRST_BASIS = 0x811c9dc5;
const FIRST_PRIME = 0x01000193;
const SECOND_BASIS = 0x9e3779b9;
const SECOND_PRIME = 0x85ebca6b;
const DIGITS = 8;
const LENGTH = 2 * DIGITS + 1;
const HEX = Buffer.from('0123456789abcdef', 'latin1');
const DASH = '-'.charCodeAt(0);

/**
 * Ids of the form `${path}-${content}`, 8 hex digits each: the first half follows from the texts on the way from the
 * root and from which of the nodes with the same way it is, the second from the node's own text. So an edit elsewhere
 * changes neither, a move only the first and a change of the text only the second.
 *
 * The hashes are made like FNV-1a, by xor and multiplication, and finished as MurmurHash3 is: an id promises nothing to
 * anybody but the document's owner, and a cryptographic hash for each of thousands of nodes took a quarter of the time.
 *
 * @param items parents first
 * @param bodyEnds where the nodes' own texts end, in `text`
 */
export function nodeIds(text: string, items: readonly OutlineItem[], bodyEnds: readonly number[]): string[] {
  // These are the ways from the root, 64 bits each: enough to tell any two apart.
  const first = new Int32Array(items.length);
  const second = new Int32Array(items.length);
  const seen = new Map<number, number>();
  const ids = Buffer.alloc(items.length * LENGTH);
  for (const [i, item] of items.entries()) {
    const { parent, text: name, charStart } = item;
    const own = text.slice(charStart, bodyEnds[i] ?? charStart).trimEnd();
    first[i] = hash(name, first[parent] ?? FIRST_BASIS, FIRST_PRIME);
    second[i] = hash(name, second[parent] ?? SECOND_BASIS, SECOND_PRIME);
    const path = pathPart(first[i] ?? 0, second[i] ?? 0, seen);
    writeHex(path, ids, i * LENGTH);
    ids[i * LENGTH + DIGITS] = DASH;
    writeHex(hash(own, FIRST_BASIS, FIRST_PRIME), ids, i * LENGTH + DIGITS + 1);
  }
  // All are made at once: two numbers to strings for each node took longer than all the rest of this.
  const all = ids.toString('latin1');
  return items.map((_, i) => all.slice(i * LENGTH, (i + 1) * LENGTH));
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

/** Of a text, two code units a step. */
function hash(text: string, basis: number, prime: number): number {
  let bits = basis;
  let at = 0;
  for (; at + 1 < text.length; at += 2) {
    bits = Math.imul(bits ^ text.charCodeAt(at) ^ (text.charCodeAt(at + 1) << 16), prime);
    // A product carries upwards only.
    bits ^= bits >>> 15;
  }
  if (at < text.length) bits = Math.imul(bits ^ text.charCodeAt(at), prime);
  return mix(bits ^ text.length);
}

/** The last step of MurmurHash3 for 32 bits: every bit depends on all. */
function mix(bits: number): number {
  let mixed = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

function writeHex(bits: number, target: Buffer, at: number): void {
  for (let i = 0; i < DIGITS; i++) target[at + i] = HEX[(bits >>> (28 - 4 * i)) & 15] ?? 0;
}
