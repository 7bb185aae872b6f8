import type { FeedTrimmed, ProjectEvent, ProjectEventList } from '../../contract/project-event.ts';
import type { Database } from '../../db/database.ts';
import {
  type FeedPage,
  findLastEvent,
  selectChangedFeeds,
  selectProjectEvents,
} from '../../db/project-events.ts';
import { type Scope, sourceOf } from '../../scope.ts';
import { createOutageLog, type OutageLogger } from '../outage-log.ts';
import { readPatiently } from '../patient-read.ts';
import { requirePlace } from '../places.ts';
import { createSharedPoll } from '../shared-poll.ts';
import { shownEvent, shownTrim } from './shown-event.ts';

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

  /** What follows a number, page by page, and at last an empty page or one that is not full. */
  async function* pagesAfter(scope: Scope, after: number, signal: AbortSignal): AsyncGenerator<FeedPage> {
    for (let seen = after; ; ) {
      const bounds = { after: seen, limit: AT_ONCE };
      const page = await readPatiently(() => selectProjectEvents(db, scope, bounds), { signal, outage });
      if (!page) return;
      yield page;
      if (page.events.length < AT_ONCE) return;
      seen = page.events.at(-1)?.seq ?? seen;
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
      const { events, trimmedThrough } = await selectProjectEvents(db, scope, { after, limit: limit + 1 });
      const data = events.slice(0, limit).map((event) => shownEvent(scope, event));
      return {
        object: 'list',
        data,
        has_more: events.length > limit,
        is_trimmed: trimmedThrough > after,
        last_id: data.at(-1)?.id ?? Math.max(after, trimmedThrough),
      };
    },

    /**
     * The events that follow a number, then those that come, until the signal ends or the project is deleted, which is the last
     * thing told; where some of them are gone, that comes first. Holds no connection, and one statement looks for all who follow.
     */
    async *follow(
      scope: Scope,
      after: number,
      signal: AbortSignal,
    ): AsyncGenerator<ProjectEvent | FeedTrimmed> {
      let seen = after;
      let isFirst = true;
      for await (const last of changes.watch(scope, signal)) {
        if (last === null && sourceOf(scope) === 'project') {
          const gone = { seq: seen, type: 'project.deleted' as const, subject: {}, at: new Date() };
          yield shownEvent(scope, gone);
          return;
        }
        // of a feed of which nothing is left it can still be told that something was there
        if (!isFirst && (last === null || last <= seen)) continue;
        isFirst = false;
        for await (const { events, trimmedThrough } of pagesAfter(scope, seen, signal)) {
          if (trimmedThrough > seen) {
            seen = events[0] ? Math.min(trimmedThrough, events[0].seq - 1) : trimmedThrough;
            yield shownTrim(scope, seen);
          }
          for (const event of events) {
            seen = event.seq;
            yield shownEvent(scope, event);
          }
        }
      }
    },
  };
}

export type EventFeed = ReturnType<typeof createEventFeed>;
