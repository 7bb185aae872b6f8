import type { VocabularyEntry } from './local-weights.ts';

// What the encoder was trained with: a piece of this mark begins a word, and pieces below 6 have a meaning of their own.
const WORD_MARK = '\u2581';
const RESERVED_PIECES = 6;
const UNKNOWN = 0;

/**
 * The tokenizer of the sentence encoder: the likeliest way to put a text together from the pieces of a vocabulary (a
 * unigram language model, arxiv.org/abs/1804.10959). A symbol that is no piece is unknown, several in a row are one
 * piece. Takes time in proportion to the length of the text.
 *
 * @returns a function from a text to the numbers of its pieces; none for an empty text
 */
export function createPieceReader(vocabulary: readonly VocabularyEntry[]): (text: string) => number[] {
  const pieces = new Map<string, { id: number; score: number }>();
  let longest = 1;
  for (const [id, [piece, score]] of vocabulary.entries()) {
    if (id < RESERVED_PIECES) continue;
    pieces.set(piece, { id, score });
    longest = Math.max(longest, [...piece].length);
  }
  return (text) => {
    const normal = text.normalize('NFKC');
    if (normal === '') return [];
    const symbols = [WORD_MARK, ...normal.replaceAll(' ', WORD_MARK)];
    /** For each end: the score of the best pieces up to it, the last of them, and where that starts. */
    const best: { score: number; id: number; start: number }[] = [{ score: 0, id: UNKNOWN, start: 0 }];
    for (let end = 1; end <= symbols.length; end += 1) {
      // the likelihood of an unknown symbol is not known either: it is chosen where there is nothing else
      let chosen = { score: best[end - 1]?.score ?? 0, id: UNKNOWN, start: end - 1 };
      let isKnown = false;
      let piece = '';
      for (let start = end - 1; start >= Math.max(0, end - longest); start -= 1) {
        piece = `${symbols[start]}${piece}`;
        const known = pieces.get(piece);
        if (!known) continue;
        const score = (best[start]?.score ?? 0) + known.score;
        if (!isKnown || score > chosen.score) chosen = { score, id: known.id, start };
        isKnown = true;
      }
      best.push(chosen);
    }
    return readBack(best);
  };
}

function readBack(best: readonly { id: number; start: number }[]): number[] {
  const ids: number[] = [];
  for (let end = best.length - 1; end > 0; ) {
    const { id, start } = best[end] ?? { id: UNKNOWN, start: 0 };
    if (id !== UNKNOWN || ids.at(-1) !== UNKNOWN) ids.push(id);
    end = start;
  }
  return ids.reverse();
}
