import type { Scope } from '../scope.ts';
import { jsonParam, storableText } from '../text/storable.ts';
import type { Queryable } from './database.ts';

/** Whose key: each caller has keys of its own. */
export interface KeyOwner {
  workspaceId: string;
  caller: string;
  key: string;
}

/** An answer that was given, to be given again. */
export interface StoredAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export interface KeyRecord {
  fingerprint: string;
  /** Null while its request runs, and for a key that stands for a turn or a run. */
  answer: StoredAnswer | null;
  turnNumber: number | null;
  runId: string | null;
}

const IS_KEY = 'workspace_id = $1 and caller = $2 and idempotency_key = $3';
const EXPIRED = "k.created_at < now() - interval '24 hours'";
// its process went away before there was an answer; a fingerprint may lack the body that was never read to its end
const ABANDONED = `k.status is null and k.turn_number is null and k.run_id is null and k.locked_until < now()
  and starts_with(excluded.fingerprint, k.fingerprint)`;

const of = ({ workspaceId, caller, key }: KeyOwner) => [workspaceId, caller, key];

/** Takes a key for a request: true when it was free, expired, or left behind by a process that is gone. */
export async function claimKey(
  db: Queryable,
  owner: KeyOwner,
  claim: { fingerprint: string; holder: string; seconds: number },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into idempotency_keys as k (workspace_id, caller, idempotency_key, fingerprint, holder, locked_until)
     values ($1, $2, $3, $4, $5, now() + make_interval(secs => $6))
     on conflict (workspace_id, caller, idempotency_key) do update set fingerprint = excluded.fingerprint,
       holder = excluded.holder, locked_until = excluded.locked_until, status = null, headers = null, body = null,
       project_id = null, turn_number = null, run_id = null, attempt = null, created_at = now()
     where ${EXPIRED} or (${ABANDONED})`,
    [...of(owner), storableText(claim.fingerprint), claim.holder, claim.seconds],
  );
  return rowCount > 0;
}

export async function findKey(db: Queryable, owner: KeyOwner): Promise<KeyRecord | null> {
  const { rows } = await db.query<{
    fingerprint: string;
    status: number | null;
    headers: Record<string, string> | null;
    body: string | null;
    turn_number: number | null;
    run_id: string | null;
  }>(
    `select fingerprint, status, headers, body, turn_number, run_id from idempotency_keys where ${IS_KEY}`,
    of(owner),
  );
  const [row] = rows;
  if (!row) return null;
  const { fingerprint, status, headers, body, turn_number: turnNumber, run_id: runId } = row;
  const answer = status === null ? null : { status, headers: headers ?? {}, body: body ?? '' };
  return { fingerprint, answer, turnNumber, runId };
}

const HELD = `${IS_KEY} and holder = $4 and status is null and turn_number is null and run_id is null`;

/** Keeps the claim for another `seconds`; false when it is no longer the holder's. */
export async function extendKey(
  db: Queryable,
  owner: KeyOwner,
  claim: { holder: string; seconds: number },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update idempotency_keys set locked_until = now() + make_interval(secs => $5) where ${HELD}`,
    [...of(owner), claim.holder, claim.seconds],
  );
  return rowCount > 0;
}

/** Stores the answer of the request that holds the key. */
export async function finishKey(
  db: Queryable,
  owner: KeyOwner,
  holder: string,
  { fingerprint, answer }: { fingerprint: string; answer: StoredAnswer },
): Promise<void> {
  await db.query(
    `update idempotency_keys set fingerprint = $5, status = $6, headers = $7, body = $8, holder = null,
       locked_until = null
     where ${HELD}`,
    [
      ...of(owner),
      holder,
      storableText(fingerprint),
      answer.status,
      jsonParam(answer.headers),
      storableText(answer.body),
    ],
  );
}

/** Frees a key whose request has produced nothing. */
export async function releaseKey(db: Queryable, owner: KeyOwner, holder: string): Promise<void> {
  await db.query(`delete from idempotency_keys where ${HELD}`, [...of(owner), holder]);
}

/** Makes the key stand for a turn, in the transaction that begins it. */
export async function bindKeyToTurn(
  tx: Queryable,
  owner: KeyOwner,
  scope: Scope,
  { turnNumber, attempt }: { turnNumber: number; attempt: number },
): Promise<void> {
  await tx.query(
    `update idempotency_keys set project_id = $4, turn_number = $5, attempt = $6, holder = null, locked_until = null
     where ${IS_KEY}`,
    [...of(owner), scope.projectId, turnNumber, attempt],
  );
}

/** The same for a run. */
export async function bindKeyToRun(
  tx: Queryable,
  owner: KeyOwner,
  scope: Scope,
  { runId, attempt }: { runId: string; attempt: number },
): Promise<void> {
  await tx.query(
    `update idempotency_keys set project_id = $4, run_id = $5, attempt = $6, holder = null, locked_until = null
     where ${IS_KEY}`,
    [...of(owner), scope.projectId, runId, attempt],
  );
}

/** Forgets the keys of more than a day ago. */
export async function deleteExpiredKeys(db: Queryable): Promise<number> {
  return (await db.query(`delete from idempotency_keys k where ${EXPIRED}`)).rowCount;
}
