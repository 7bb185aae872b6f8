import { oneLine } from '../../../text/one-line.ts';
import {
  MAX_BLURB,
  type OutlineItem,
  type OutlineItems,
  type OutlineLimits,
} from '../../structure/outline-item.ts';
import { pruneTree } from '../../structure/prune-tree.ts';
import { shownText } from '../structured/describe.ts';
import type { Member } from '../structured/member.ts';

/** Each level is scanned again for the next one: enough for what cannot be parsed. */
const DEEPEST = 6;

/**
 * The nodes of a text that is no valid YAML (a template, say) by its indentation alone: its keys, as far as they can be
 * told. None when hardly any line has a key.
 */
export function membersOutline(
  text: string,
  members: readonly Member[],
  { levels, nodes }: OutlineLimits,
): OutlineItems {
  const named = members.filter(({ key }) => key !== '');
  if (named.length * 2 < members.length) return { items: [], truncated: false };
  const all: OutlineItem[] = [];
  const deepest = Math.min(levels, DEEPEST);
  let truncated = false;
  const visit = (member: Member, parent: number, depth: number): void => {
    if (member.key === '') return;
    if (depth > deepest) {
      truncated = true;
      return;
    }
    const { start, end } = member;
    const index = all.push({
      parent,
      depth,
      level: depth,
      text: shownText(member.key),
      blurb: textBehindKey(member, text),
      charStart: start,
      charEnd: end,
    });
    for (const one of member.members()) visit(one, index - 1, depth + 1);
  };
  for (const one of members) visit(one, -1, 1);
  const isKept = pruneTree(
    all.map(({ depth }) => depth),
    { nodes },
  );
  const places: number[] = [];
  const items: OutlineItem[] = [];
  for (const [i, item] of all.entries()) {
    if (isKept[i]) places[i] = items.push({ ...item, parent: places[item.parent] ?? -1 }) - 1;
  }
  return { items, truncated: truncated || items.length < all.length };
}

/** What stands behind the key. */
function textBehindKey({ key, start, end }: Member, text: string): string {
  const head = text.slice(start, Math.min(end, start + 4 * MAX_BLURB)).toWellFormed();
  const at = head.indexOf(key);
  const colon = at === -1 ? -1 : head.indexOf(':', at + key.length);
  return oneLine(head.slice(colon + 1), MAX_BLURB);
}
