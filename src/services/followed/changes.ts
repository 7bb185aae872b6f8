import { forSystem } from '../../db/bound-database.ts';
import type { Database } from '../../db/database.ts';
import type { EventPage } from '../../db/followed.ts';
import type { Scope } from '../../scope.ts';
import { createOutageLog } from '../outage-log.ts';
import { createSharedPoll, type SharedPoll } from '../shared-poll.ts';
import { type FollowedEvent, type FollowedKind, type FollowLog, type Id, keyOf } from './kind.ts';

const ROWS_AT_ONCE = 500;

/** Reads what was stored after a number. */
export type ReadEvents = (after: number) => Promise<EventPage | null>;

/** Something has changed. `read`: what there is by now; or why that cannot be looked for any more. */
export type Change = { read: ReadEvents } | { failure: unknown };

interface ChangesOf<I extends Id, E extends FollowedEvent> {
  kind: FollowedKind<I, E>;
  db: Database;
  log: FollowLog;
  retryMs?: number | undefined;
}

export const readEvents =
  <I extends Id, E extends FollowedEvent>(
    { kind, db }: Pick<ChangesOf<I, E>, 'kind' | 'db'>,
    scope: Scope,
    id: I,
  ): ReadEvents =>
  (after) =>
    kind.selectEvents(db, scope, id, { after, limit: ROWS_AT_ONCE });

/** The same for those who have come equally far: the second one gets what the first one reads. */
function readTogether(read: ReadEvents): ReadEvents {
  let last: { after: number; page: Promise<EventPage | null> } | undefined;
  return (after) => {
    if (last?.after !== after) last = { after, page: read(after) };
    return last.page;
  };
}

/**
 * How those of a kind that run elsewhere change: one statement looks for all who follow any of them in this process, and
 * followers who have come equally far read what is new with one statement as well.
 */
export function createChanges<I extends Id, E extends FollowedEvent>({
  kind,
  db,
  log,
  retryMs,
}: ChangesOf<I, E>): SharedPoll<{ scope: Scope; id: I }, Change> {
  const system = forSystem(db);
  return createSharedPoll<{ scope: Scope; id: I }, Change>({
    nameOf: ({ scope, id }) => keyOf(scope, id),
    async readChanged(known) {
      const changed = await kind.selectChanged(system, known);
      return changed.flatMap(({ place, stamp }) => {
        const { key } = known[place] ?? {};
        if (!key) return [];
        const read = readTogether(readEvents({ kind, db }, key.scope, key.id));
        return [{ place, stamp, value: { read } }];
      });
    },
    outage: createOutageLog(log, `the look for events of ${kind.noun}s elsewhere`),
    lostWith: (failure) => ({ failure }),
    retryMs,
  });
}
