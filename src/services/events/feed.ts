import type { ProjectEvent, ProjectEventList } from '../../contract/project-event.ts';
import type { Database } from '../../db/database.ts';
import {
  findLastEvent,
  type StoredProjectEvent,
  selectChangedFeeds,
  selectProjectEvents,
} from '../../db/project-events.ts';
import { type Scope, sourceOf } from '../../scope.ts';
import { createOutageLog, type OutageLogger } from '../outage-log.ts';
import { readPatiently } from '../patient-read.ts';
import { requirePlace } from '../places.ts';
import { createSharedPoll } from '../shared-poll.ts';
import { shownEvent } from './shown-event.ts';

export interface EventFeedDeps {
  db: Database;
  /** The same for all workspaces. */
  system: Database;
  log: OutageLogger;
}

/** Events that a follower reads at a time. */
const AT_ONCE = 200;

/** What changes in projects and in the library, in the order in which it was committed. */
export function createEventFeed({ db, system, log }: EventFeedDeps) {
  const changes = createSharedPoll<Scope, number | null>({
    nameOf: ({ workspaceId, projectId }) => JSON.stringify([workspaceId, projectId]),
    readChanged: (known) => selectChangedFeeds(system, known),
    outage: createOutageLog(log, 'the look for events of projects'),
  });

  const outage = createOutageLog(log, 'the reading of events of projects');

  async function* readAfter(
    scope: Scope,
    after: number,
    signal: AbortSignal,
  ): AsyncGenerator<StoredProjectEvent> {
    for (let seen = after; ; ) {
      const page = { after: seen, limit: AT_ONCE };
      const events = await readPatiently(() => selectProjectEvents(db, scope, page), { signal, outage });
      if (!events) return;
      yield* events;
      const last = events.at(-1);
      if (!last || events.length < AT_ONCE) return;
      seen = last.seq;
    }
  }

  return {
    /**
     * The number that a follower begins at.
     *
     * @param after `now`: what comes from here on
     * @throws AppError `project_not_found`
     */
    async begin(scope: Scope, after: number | 'now'): Promise<number> {
      await requirePlace(db, scope);
      return after === 'now' ? findLastEvent(db, scope) : after;
    },

    /** The events that follow a number. */
    async page(scope: Scope, after: number, limit: number): Promise<ProjectEventList> {
      const found = await selectProjectEvents(db, scope, { after, limit: limit + 1 });
      const data = found.slice(0, limit).map((event) => shownEvent(scope, event));
      return { object: 'list', data, has_more: found.length > limit, last_id: data.at(-1)?.id ?? after };
    },

    /**
     * The events that follow a number, then those that come, until the signal ends or the project is deleted, which is the last
     * thing told. Holds no connection, and one statement looks for all who follow.
     */
    async *follow(scope: Scope, after: number, signal: AbortSignal): AsyncGenerator<ProjectEvent> {
      let seen = after;
      for await (const last of changes.watch(scope, signal)) {
        if (last === null && sourceOf(scope) === 'project') {
          const gone = { seq: seen, type: 'project.deleted' as const, subject: {}, at: new Date() };
          yield shownEvent(scope, gone);
          return;
        }
        if (last === null || last <= seen) continue;
        for await (const event of readAfter(scope, seen, signal)) {
          seen = event.seq;
          yield shownEvent(scope, event);
        }
      }
    },
  };
}

export type EventFeed = ReturnType<typeof createEventFeed>;
