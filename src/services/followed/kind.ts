import type { Queryable } from '../../db/database.ts';
import type { EventPage, EventRow, KnownOwner } from '../../db/followed.ts';
import type { Scope } from '../../scope.ts';
import type { OutageLogger } from '../outage-log.ts';

/** Names one of a kind within its project. */
export type Id = number | string;

/** Something that happened. */
export interface FollowedEvent {
  type: string;
  data: unknown;
}

/** An event as it happens; `endedElsewhere`: another ended what it is of while it ran here. */
export type Live<E extends FollowedEvent> = E & { endedElsewhere?: boolean };

/** An event with its number. Numbers rise, and are the same live and from storage. */
export type Sequenced<E extends FollowedEvent> = E & { seq: number };

/**
 * A kind of work that runs by itself, tells of itself by events and can be followed from anywhere: turns, and runs of the
 * research agent.
 */
export interface FollowedKind<I extends Id, E extends FollowedEvent> {
  /** Of one of them, for logs. */
  noun: string;
  insertEvents(db: Queryable, rows: readonly EventRow<I>[]): Promise<void>;
  selectEvents(
    db: Queryable,
    scope: Scope,
    id: I,
    page: { after: number; limit: number },
  ): Promise<EventPage | null>;
  /** Those of any number that are not as they were known, by their places. */
  selectChanged(db: Queryable, known: readonly KnownOwner<I>[]): Promise<{ place: number; stamp: string }[]>;
  /** The attempt that an event begins; null for one that begins none. */
  attemptOf(event: E): number | null;
  isTerminal(event: E): boolean;
}

export interface FollowLog extends OutageLogger {
  error(details: object, message: string): void;
}

/** One of a kind, in one word. */
export const keyOf = (scope: Scope, id: Id): string =>
  JSON.stringify([scope.workspaceId, scope.projectId, id]);
