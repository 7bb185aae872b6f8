import { hash } from 'node:crypto';
import type { Draft } from './draft.ts';

const PART = 8;
// enough to tell any two ways apart
const WAY = 24;

/**
 * Ids of the form `${path}-${content}`, hex: the first half follows from the texts on the way from the root and from
 * which of the nodes with the same way it is, the second from the node's own text. So an edit elsewhere changes
 * neither, a move only the first and a change of the text only the second.
 *
 * @param drafts parents first
 * @param bodyEnds where the nodes' own texts end, in `text`
 */
export function nodeIds(text: string, drafts: readonly Draft[], bodyEnds: readonly number[]): string[] {
  const ids: string[] = [];
  const ways: string[] = [];
  const seen = new Map<string, number>();
  for (let i = 0; i < drafts.length; i++) {
    const draft = drafts[i];
    if (!draft) continue;
    const way = hash('sha256', `${ways[draft.parent] ?? ''}\0${draft.text}`).slice(0, WAY);
    ways.push(way);
    const content = hash('sha256', text.slice(draft.charStart, bodyEnds[i]).trimEnd());
    ids.push(`${pathPart(way, seen)}-${content.slice(0, PART)}`);
  }
  return ids;
}

/** No two nodes have the same: of thousands two may come to the same 32 bits by chance, which is as good as equal. */
function pathPart(way: string, seen: Map<string, number>): string {
  const first = way.slice(0, PART);
  let part = first;
  let occurrence = seen.get(first) ?? 0;
  while (seen.has(part)) part = hash('sha256', `${way}\0${++occurrence}`).slice(0, PART);
  seen.set(first, occurrence);
  if (part !== first) seen.set(part, 0);
  return part;
}
