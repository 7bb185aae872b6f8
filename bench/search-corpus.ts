import { createHash } from 'node:crypto';
import type { Leaf, Parent } from '../src/documents/chunking/chunks.ts';
import type { StoredDocument } from '../test/helpers/stored-document.ts';

const LEAVES_PER_PARENT = 6;
const LEAVES_PER_FILE = 50;
const WORDS_PER_LEAF = 110;
const WORDS = 30_000;
const TOPICS = 300;
const DIMENSIONS = 512;
const LATENT = 48;

export type Random = () => number;

/** A small, fast, seeded generator of numbers from 0 to 1 (mulberry32), so that every run measures the same corpus. */
export function seededRandom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const SYLLABLES = 'ba re mi to lan ker sol vi ton der mar pe ga nu rin sta co fel dro hus'.split(' ');

/** A made-up word for each rank. */
function wordOf(rank: number): string {
  let word = '';
  for (let rest = rank + SYLLABLES.length; rest > 0; rest = Math.floor(rest / SYLLABLES.length)) {
    word += SYLLABLES[rest % SYLLABLES.length];
  }
  return word;
}

/** Rank of a word by Zipf's law, which natural text follows: the first words make up most of it. */
const zipf = (random: Random): number => Math.floor(WORDS ** random()) - 1;

/**
 * What the corpus is about: some words of each topic, and its direction in the space of vectors.
 *
 * @param random makes the topics, and what is then made of them unless `later` does
 */
export function makeTopics(random: Random, later = random) {
  const basis = Array.from({ length: LATENT }, () =>
    Float32Array.from({ length: DIMENSIONS }, () => random() - 0.5),
  );
  const topics = Array.from({ length: TOPICS }, () => ({
    words: Array.from({ length: 12 }, () => wordOf(200 + Math.floor(random() * (WORDS - 200)))),
    latent: Array.from({ length: LATENT }, () => random() - 0.5),
  }));
  const pick = () => topics[Math.floor(later() * TOPICS)] ?? { words: [], latent: [] };

  const vectorNear = (latent: readonly number[]): Float32Array => {
    const vector = new Float32Array(DIMENSIONS);
    basis.forEach((direction, index) => {
      const weight = (latent[index] ?? 0) + (later() - 0.5) * 0.6;
      for (let i = 0; i < DIMENSIONS; i++) vector[i] = (vector[i] ?? 0) + weight * (direction[i] ?? 0);
    });
    const length = Math.hypot(...vector);
    return vector.map((value) => value / length);
  };

  const textOn = (words: readonly string[], length: number): string =>
    Array.from({ length }, () =>
      later() < 0.15 ? (words[Math.floor(later() * words.length)] ?? '') : wordOf(zipf(later)),
    ).join(' ');

  return { pick, vectorNear, textOn };
}

export type Topics = ReturnType<typeof makeTopics>;

/** Files of 50 leaves in sections of 6, each section about one topic, with a vector for each leaf. */
export function* makeDocuments(
  leafCount: number,
  { pick, vectorNear, textOn }: Topics,
): Generator<{ document: StoredDocument; vectors: Map<string, Float32Array> }> {
  for (let file = 0; file * LEAVES_PER_FILE < leafCount; file++) {
    const filename = `report-${file}.md`;
    const parents: Parent[] = [];
    const leaves: Leaf[] = [];
    const vectors = new Map<string, Float32Array>();
    let charStart = 0;
    for (let index = 0; index < LEAVES_PER_FILE; ) {
      const topic = pick();
      const parentId = `${filename}-parent-${parents.length}`;
      const headerPath = [textOn(topic.words, 3)];
      const breadcrumb = `[Source: ${filename} > ${headerPath[0]}]`;
      const first = leaves.length;
      for (let i = 0; i < LEAVES_PER_PARENT && index < LEAVES_PER_FILE; i++, index++) {
        const text = textOn(topic.words, WORDS_PER_LEAF);
        const id = `${filename}-leaf-${index}`;
        vectors.set(id, vectorNear(topic.latent));
        leaves.push({
          id,
          parentId,
          leafIndex: index,
          headerPath,
          breadcrumb,
          text,
          charStart,
          charEnd: charStart + text.length,
          page: null,
          tokens: 2 * WORDS_PER_LEAF,
          contentHash: createHash('sha256').update(text).digest('hex'),
          oversized: false,
        });
        charStart += text.length + 2;
      }
      const own = leaves.slice(first);
      parents.push({
        id: parentId,
        parentIndex: parents.length,
        headerPath,
        breadcrumb,
        text: own.map((leaf) => leaf.text).join('\n\n'),
        charStart: own[0]?.charStart ?? 0,
        charEnd: own.at(-1)?.charEnd ?? 0,
        page: null,
        tokens: own.reduce((sum, leaf) => sum + leaf.tokens, 0),
      });
    }
    yield { document: { filename, parents, leaves }, vectors };
  }
}
