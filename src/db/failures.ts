import { DatabaseError, type DatabaseTrouble } from '../errors.ts';

/** How far a statement had come: whether what it changed may be there although it failed. */
export type Progress = 'not-sent' | 'uncommitted' | 'sent';

/**
 * SQLSTATEs and classes of them (PostgreSQL, appendix A) that speak of the server, not of the statement. 08: connection.
 * 25006: read-only, as a standby is after a fail-over; 25P03: idle in a transaction for too long. 28, 3D000: it lets us in no
 * more. 40: serialization, deadlock. 53: resources. 55P03: lock not available. 57014: time-out. 57P: shutting down, starting.
 * 58030: its disk fails.
 */
const UNAVAILABLE = /^(08...|25006|25P03|28...|3D000|40...|53...|55P03|57014|57P..|58030)$/;
const DISK_FULL = '53100';
/** Text with a NUL character, or JSON with an escape that stands for no character. */
const UNSTORABLE = new Set(['22021', '22P05']);
/** Nobody is helped by trying these again: somebody must change the settings. */
const LASTING = /^(28...|3D000)$/;
/** A connection that has said so is of no use any more. */
const ENDS_CONNECTION = /^(08...|25006|25P03|57P..)$/;

type Failure = Error & { code?: unknown; detail?: unknown };

const sqlStateOf = (error: Failure): string | undefined =>
  // each has a digit, which sets it apart from names such as EPIPE
  typeof error.code === 'string' && /^(?=.*\d)[0-9A-Z]{5}$/.test(error.code) ? error.code : undefined;

/** A plan that was kept from before a migration; a new connection has none. */
const isOfOldPlan = (error: Failure): boolean => /cached plan must not change/.test(error.message);

function troubleOf(error: Failure): DatabaseTrouble | null {
  const state = sqlStateOf(error);
  // what the server did not say is of the connection, unless it is a mistake in the program
  if (state === undefined) return error instanceof TypeError ? null : 'unavailable';
  if (state === DISK_FULL) return 'full';
  if (UNAVAILABLE.test(state) || isOfOldPlan(error)) return 'unavailable';
  if (UNSTORABLE.has(state) || /surrogate/.test(String(error.detail ?? ''))) return 'unstorable';
  return null;
}

/** A failure of a server or of the connection to it in the service's terms; what is the statement's own fault as it is. */
export function serverFailure(error: unknown, progress: Progress): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseError) return error;
  const trouble = troubleOf(error);
  if (trouble === null) return error;
  const state = sqlStateOf(error);
  const isKnownUndone = progress !== 'sent' || state !== undefined;
  const isPassing = trouble === 'unavailable' && !LASTING.test(state ?? '');
  return new DatabaseError(trouble, error, isKnownUndone && isPassing);
}

/** Whether a connection on which this happened must not be used again. */
export function endsConnection(error: unknown): boolean {
  const cause = error instanceof DatabaseError ? error.cause : error;
  if (!(cause instanceof Error)) return false;
  const state = sqlStateOf(cause);
  if (state === undefined) return error instanceof DatabaseError;
  return ENDS_CONNECTION.test(state) || isOfOldPlan(cause);
}
