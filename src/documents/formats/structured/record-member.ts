import { isName, scalarText } from './describe.ts';
import type { Entry, Inside } from './entry.ts';

/** Keys whose value tells one object from another, the best first. */
const TITLE_KEYS = new Map(
  ['name', 'title', 'id', 'key', 'operationId', 'label', 'slug', 'code', 'kind'].map((key, rank) => [
    key,
    rank,
  ]),
);
const MOST_SHOWN = 80;
const LONGEST_SHOWN = 60;

/** Adds to what is known of an object or an array that it has this member or element. */
export function noteMember(parent: Inside, { key, text, plain, inside }: Entry): void {
  parent.count++;
  if (inside) {
    if (inside.isObject) parent.objects++;
    else parent.arrays++;
  }
  if (!parent.isObject) {
    if (inside?.isObject) parent.first ??= inside;
    if (!inside && parent.shown.length < MOST_SHOWN)
      parent.shown.push(scalarText(text, plain, LONGEST_SHOWN));
    return;
  }
  if (key === null) return;
  if (parent.shown.length < MOST_SHOWN) parent.shown.push(key);
  const rank = inside ? undefined : TITLE_KEYS.get(key);
  if (rank === undefined || !isName(text, plain)) return;
  if (key === 'kind') parent.kind = text;
  if (rank >= parent.titleRank) return;
  parent.titleRank = rank;
  parent.title = text;
}

/** What tells an object from its neighbours: a Kubernetes object's kind and name, or the value of a telling key. */
export function titleOf({ kind, metadataName, title }: Inside): string {
  return kind !== '' && metadataName !== '' ? `${kind} ${metadataName}` : title;
}
