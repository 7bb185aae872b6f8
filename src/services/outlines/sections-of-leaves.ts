import type { SectionPointer } from '../../contract/sections.ts';
import type { Database } from '../../db/database.ts';
import { selectLeavesAt } from '../../db/leaves.ts';
import { type RetrievalTuning, retrievalTuning } from '../../retrieval/tuning.ts';
import type { Scope } from '../../scope.ts';
import type { AskedPart } from './asked-part.ts';
import type { LikelyLeaf, SectionQuestion } from './likely-leaves.ts';
import { sectionIn } from './section-parts.ts';
import { sectionPointer } from './section-pointer.ts';

/**
 * The sections that the best leaves stand in, each once, best first; a section is worth what its best leaf is. Leaves are
 * read some at a time, until there are enough sections.
 *
 * @param likely leaves, best first
 */
export async function sectionsOfLeaves(
  db: Database,
  scope: Scope,
  { file, terms, topK }: Pick<SectionQuestion, 'file' | 'terms' | 'topK'>,
  { nodes, wanted, isNarrowed }: AskedPart,
  likely: readonly LikelyLeaf[],
  { leavesReadPerSection }: RetrievalTuning['sections'] = retrievalTuning.sections,
): Promise<SectionPointer[]> {
  const found = new Map<string, SectionPointer>();
  const step = leavesReadPerSection * topK;
  for (let from = 0; from < likely.length && found.size < topK; from += step) {
    const some = likely.slice(from, from + step);
    const leaves = await selectLeavesAt(
      db,
      scope,
      file,
      some.map(({ leafIndex }) => leafIndex),
    );
    for (const { leafIndex, score } of some) {
      const leaf = leaves.get(leafIndex);
      const part = leaf ? sectionIn(leaf, wanted, terms) : null;
      if (!leaf || found.size === topK || (isNarrowed && !part)) continue;
      const pointer = sectionPointer(file.name, leaf, part, nodes, { score, terms });
      if (!found.has(pointer.pointer_id)) found.set(pointer.pointer_id, pointer);
    }
  }
  return [...found.values()];
}
