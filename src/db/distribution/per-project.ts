import { DatabaseError } from '../../errors.ts';
import type { Scope } from '../../scope.ts';
import type { Queryable } from '../database.ts';
import { isOnCluster } from './nodes.ts';

/** Groups of items, each of one project's id, with their places in the list. */
function byProject<T>(items: readonly T[], scopeOf: (item: T) => Scope): { items: T[]; places: number[] }[] {
  const groups = new Map<string, { items: T[]; places: number[] }>();
  for (const [place, item] of items.entries()) {
    const { projectId } = scopeOf(item);
    const group = groups.get(projectId) ?? { items: [], places: [] };
    group.items.push(item);
    group.places.push(place);
    groups.set(projectId, group);
  }
  return [...groups.values()];
}

/**
 * Does something to a list of what is of many projects: at once where one server has them all; on a cluster project by project, each at
 * its node. What is of a node that cannot be reached is left out there, and nothing else is.
 *
 * @param work its result belongs to the items that it was given; `placeOf` gives the place in the whole list of one in those
 * @throws DatabaseError when no project can be reached
 */
export async function perProject<T, R>(
  db: Queryable,
  items: readonly T[],
  scopeOf: (item: T) => Scope,
  work: (items: readonly T[], placeOf: (place: number) => number) => Promise<R[]>,
): Promise<R[]> {
  if (items.length === 0) return [];
  if (!(await isOnCluster(db))) return work(items, (place) => place);
  const results = await Promise.allSettled(
    byProject(items, scopeOf).map((group) => work(group.items, (place) => group.places[place] ?? place)),
  );
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  const isTrouble = failures.every((failure) => failure instanceof DatabaseError);
  if (failures.length > 0 && (!isTrouble || failures.length === results.length)) throw failures[0];
  return results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
}
