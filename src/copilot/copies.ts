import type { Passage } from '../retrieval/passage.ts';
import { figuresOf } from './claim-figures.ts';

/** Words in a shingle: long enough that two texts share one only by being copies. */
const WORDS = 5;
/** The share of the shorter text's shingles that the other has too. */
const SAME = 0.8;
/** Texts whose lengths in tokens differ by more are no copies: the one says more. */
const LENGTHS = 0.7;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** What is needed of a passage to tell copies. */
type Copied = Pick<Passage, 'source' | 'filename' | 'text' | 'tokens'>;

/** A passage, and those of other files that nearly repeat it. */
export interface Distinct<P> {
  passage: P;
  copies: P[];
}

/**
 * Passages that nearly repeat each other as one, at the best one's place. Repetition within a file is its author's affair, and
 * texts whose figures differ are no copies: which of them holds is what a reader has to see.
 *
 * @param passages best first
 * @param isPreferred whether a passage stands for a copy that comes before it
 */
export function countCopiesOnce<P extends Copied>(
  passages: readonly P[],
  isPreferred: (passage: P, before: P) => boolean,
): Distinct<P>[] {
  const kept: (Distinct<P> & { print: Print })[] = [];
  for (const passage of passages) {
    const print = printOf(passage);
    const twin = kept.find((each) => !isSameFile(each.passage, passage) && isNearlySame(each.print, print));
    if (!twin) {
      kept.push({ passage, print, copies: [] });
    } else if (isPreferred(passage, twin.passage)) {
      twin.copies.push(twin.passage);
      twin.passage = passage;
      twin.print = print;
    } else {
      twin.copies.push(passage);
    }
  }
  return kept;
}

const isSameFile = (a: Copied, b: Copied): boolean => a.source === b.source && a.filename === b.filename;

/** What is compared of a text, found out when it is first needed: most texts differ in their lengths. */
interface Print {
  tokens: number;
  /** Hashes: that two of them are the same by chance takes no more than a share of 0.8 forgives. */
  shingles(): ReadonlySet<number>;
  figures(): string;
}

function printOf({ text, tokens }: Copied): Print {
  let shingles: ReadonlySet<number> | undefined;
  let figures: string | undefined;
  return {
    tokens,
    shingles: () => {
      shingles ??= shinglesOf(text);
      return shingles;
    },
    figures: () => {
      figures ??= [...new Set(figuresOf(text).map((figure) => figure.values[0]))].sort().join(' ');
      return figures;
    },
  };
}

function isNearlySame(a: Print, b: Print): boolean {
  if (Math.min(a.tokens, b.tokens) < LENGTHS * Math.max(a.tokens, b.tokens)) return false;
  const [few, many] = [a.shingles(), b.shingles()].sort((one, other) => one.size - other.size);
  // one that only contains the other says more
  if (!few || !many || few.size === 0 || few.size < SAME * many.size) return false;
  let missing = few.size * (1 - SAME);
  for (const shingle of few) {
    if (!many.has(shingle)) missing -= 1;
    if (missing < 0) return false;
  }
  return a.figures() === b.figures();
}

function shinglesOf(text: string): ReadonlySet<number> {
  const lower = text.toLowerCase();
  const words = UNSPACED.test(lower)
    ? [...lower.replace(/\s+/g, '')]
    : (lower.match(/[\p{L}\p{N}]+/gu) ?? []);
  const hashes = words.map(hashOf);
  const shingles = new Set<number>();
  for (let at = 0; at + WORDS <= hashes.length; at++) shingles.add(joined(hashes.slice(at, at + WORDS)));
  if (shingles.size === 0 && hashes.length > 0) shingles.add(joined(hashes));
  return shingles;
}

/** FNV-1a over the word's code units. */
function hashOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  return hash;
}

const joined = (hashes: readonly number[]): number =>
  hashes.reduce((hash, next) => Math.imul(hash ^ next, 0x01000193) ^ (next >>> 15), hashes.length);
