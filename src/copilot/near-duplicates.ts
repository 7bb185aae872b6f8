import type { ProjectState } from '../contract/state.ts';
import type { Passage } from '../retrieval/passage.ts';
import { countCopiesOnce } from './copies.ts';

type Files = Pick<ProjectState['file_summaries'][number], 'filename' | 'uploaded_at'>[];

/**
 * Leaves out passages that nearly repeat one of another file, so that copies do not take the places of others. Of two the
 * one of the newer file stays, at the better one's place, and the project's rather than the library's.
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
  const distinct = countCopiesOnce(passages, (passage, before) => dateOf(passage) > dateOf(before));
  return {
    passages: distinct.map(({ passage }) => passage),
    alsoIn: new Map(
      distinct
        .filter(({ copies }) => copies.length > 0)
        .map(({ passage, copies }) => [passage.parent_id, copies.map(labelOf)]),
    ),
  };
}

const labelOf = ({ source, filename }: Passage): string =>
  source === 'library' ? `${filename} (library)` : filename;
