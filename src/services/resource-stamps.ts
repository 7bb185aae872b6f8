import { forSystem, forWorkspace } from '../db/bound-database.ts';
import type { Database } from '../db/database.ts';
import { type Stamped, type StampedList, selectListStamps, selectStamps } from '../db/resource-stamps.ts';

/** What is looked at: files and states, and lists of all that can be read. */
export interface LookedAt {
  resources: readonly Stamped[];
  lists: readonly StampedList[];
}

/** What was found. A stamp is a text that changes with what it is of. */
export interface FoundStamps {
  /** Null: it is not there. */
  of(resource: Stamped): string | null;
  ofList(list: StampedList): string;
}

const nameOf = ({ workspaceId, projectId, file }: Stamped): string =>
  JSON.stringify([workspaceId, projectId, file]);
const nameOfList = ({ workspaceId, projectId }: StampedList): string =>
  JSON.stringify([workspaceId, projectId]);

/** Each once, by its name. */
const unique = <T>(all: readonly T[], name: (one: T) => string): Map<string, T> =>
  new Map(all.map((one) => [name(one), one]));

/** What was found, by name; nothing is asked where nothing is wanted. */
async function found<T, S>(
  wanted: Map<string, T>,
  select: (wanted: T[]) => Promise<S[]>,
): Promise<Map<string, S | undefined>> {
  const stamps = wanted.size === 0 ? [] : await select([...wanted.values()]);
  return new Map([...wanted.keys()].map((name, place) => [name, stamps[place]]));
}

/** Whether what can be read has changed, for those who keep a copy of it: cheap to ask again and again. */
export function createResourceStamps({ db }: { db: Database }) {
  /** The database, kept to the workspace where all is of one. */
  function databaseFor({ resources, lists }: LookedAt): Database {
    const [workspaceId, ...others] = new Set([...resources, ...lists].map((one) => one.workspaceId));
    return workspaceId === undefined || others.length > 0 ? forSystem(db) : forWorkspace(db, workspaceId);
  }

  return {
    /** Looks at any number of them with one statement for the resources and one for the lists. */
    async look(wanted: LookedAt): Promise<FoundStamps> {
      const of = databaseFor(wanted);
      const [resources, lists] = await Promise.all([
        found(unique(wanted.resources, nameOf), (all) => selectStamps(of, all)),
        found(unique(wanted.lists, nameOfList), (all) => selectListStamps(of, all)),
      ]);
      return {
        of: (resource) => resources.get(nameOf(resource)) ?? null,
        ofList: (list) => lists.get(nameOfList(list)) ?? '',
      };
    },
  };
}

export type ResourceStamps = ReturnType<typeof createResourceStamps>;
