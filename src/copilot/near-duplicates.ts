import type { ProjectState } from '../contract/state.ts';
import type { Passage } from '../retrieval/passage.ts';
import { figuresOf } from './claim-figures.ts';

/** Words in a shingle: long enough that two texts share one only by being copies. */
const WORDS = 5;
/** The share of the shorter text's shingles that the other has too. */
const SAME = 0.8;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

type Files = Pick<ProjectState['file_summaries'][number], 'filename' | 'uploaded_at'>[];

/**
 * Leaves out passages that nearly repeat one of another file, so that copies do not take the places of others. Of two the
 * one of the newer file stays, at the better one's place, and the project's rather than the library's. Texts whose figures differ are no copies: which of them holds is
 * what a reader has to see.
 *
 * @param passages best first
 * @returns with them, by parent, the files that a passage stands in as well
 */
export function withoutNearDuplicates(
  passages: readonly Passage[],
  files: Files,
): { passages: Passage[]; alsoIn: Map<string, string[]> } {
  const uploadedAt = new Map(files.map(({ filename, uploaded_at }) => [filename, uploaded_at]));
  // what the project has itself is what it goes by
  const dateOf = ({ source, filename }: Passage): string =>
    source === 'project' ? (uploadedAt.get(filename) ?? '') : '';
  const isNewer = (a: Passage, b: Passage): boolean => dateOf(a) > dateOf(b);
  const kept: { passage: Passage; print: Print; others: string[] }[] = [];
  for (const passage of passages) {
    const print = printOf(passage.text);
    const twin = kept.find((each) => !isSameFile(each.passage, passage) && isNearlySame(each.print, print));
    if (!twin) {
      kept.push({ passage, print, others: [] });
    } else if (isNewer(passage, twin.passage)) {
      twin.others.push(labelOf(twin.passage));
      twin.passage = passage;
      twin.print = print;
    } else {
      twin.others.push(labelOf(passage));
    }
  }
  return {
    passages: kept.map(({ passage }) => passage),
    alsoIn: new Map(
      kept
        .filter(({ others }) => others.length > 0)
        .map(({ passage, others }) => [passage.parent_id, others]),
    ),
  };
}

const labelOf = ({ source, filename }: Passage): string =>
  source === 'library' ? `${filename} (library)` : filename;

const isSameFile = (a: Passage, b: Passage): boolean => a.source === b.source && a.filename === b.filename;

interface Print {
  shingles: Set<string>;
  figures: string;
}

function printOf(text: string): Print {
  const lower = text.toLowerCase();
  const words = UNSPACED.test(lower)
    ? [...lower.replace(/\s+/g, '')]
    : (lower.match(/[\p{L}\p{N}]+/gu) ?? []);
  const shingles = new Set<string>();
  for (let at = 0; at + WORDS <= words.length; at++) shingles.add(words.slice(at, at + WORDS).join(' '));
  if (shingles.size === 0 && words.length > 0) shingles.add(words.join(' '));
  const figures = [...new Set(figuresOf(text).map((figure) => figure.values[0]))].sort();
  return { shingles, figures: figures.join(' ') };
}

function isNearlySame(a: Print, b: Print): boolean {
  const [few, many] = a.shingles.size <= b.shingles.size ? [a, b] : [b, a];
  // one that only contains the other says more
  if (few.shingles.size < SAME * many.shingles.size || few.figures !== many.figures) return false;
  const shared = [...few.shingles].filter((shingle) => many.shingles.has(shingle)).length;
  return shared >= SAME * few.shingles.size && few.shingles.size > 0;
}
