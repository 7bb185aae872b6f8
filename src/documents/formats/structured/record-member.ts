import { isName, scalarText } from './describe.ts';
import type { Collection, Entry } from './entry.ts';

/** Keys whose value tells one object from another, the best first. */
const TITLE_KEYS = new Map(
  ['name', 'title', 'id', 'key', 'operationId', 'label', 'slug', 'code', 'kind'].map((key, rank) => [
    key,
    rank,
  ]),
);
const PREVIEW_LENGTH = 80;
const LONGEST_SCALAR = 60;

/** Adds to what is known of an object or an array that it has this member or element. */
export function recordMember(parent: Collection, { key, text, plain, collection }: Entry): void {
  parent.count++;
  if (collection) {
    if (collection.isObject) parent.objects++;
    else parent.arrays++;
  }
  const hasRoom = parent.preview.length < PREVIEW_LENGTH;
  if (!parent.isObject) {
    if (collection?.isObject) parent.firstObject ??= collection;
    if (!collection && hasRoom) parent.preview.push(scalarText(text, plain, LONGEST_SCALAR));
    return;
  }
  if (key === null) return;
  if (hasRoom) parent.preview.push(key);
  const rank = collection ? undefined : TITLE_KEYS.get(key);
  if (rank === undefined || !isName(text, plain)) return;
  if (key === 'kind') parent.kind = text;
  if (rank >= parent.titleRank) return;
  parent.titleRank = rank;
  parent.title = text;
}

/** What tells an object from its neighbours: a Kubernetes object's kind and name, or the value of a telling key. */
export function titleOf({ kind, metadataName, title }: Collection): string {
  return kind !== '' && metadataName !== '' ? `${kind} ${metadataName}` : title;
}
