import type { AccessScope, RateLimits } from '../scope.ts';
import { jsonParam } from '../text/storable.ts';
import type { Queryable } from './database.ts';

/** A key's row, without its hash. */
export interface KeyRow {
  workspace_id: string;
  key_id: string;
  name: string;
  scopes: AccessScope[];
  created_at: Date;
  created_by: string | null;
  expires_at: Date | null;
  last_used_at: Date | null;
  rate_limits: RateLimits | null;
  seq: string;
}

/** What is stored of a new key. */
export interface KeyToStore {
  workspaceId: string;
  keyId: string;
  name: string;
  /** SHA-256 of the key. */
  hash: Buffer;
  scopes: readonly AccessScope[];
  createdBy: string;
  expiresAt: Date | null;
  /** Left out: as the service is set. */
  rateLimits?: RateLimits | null;
}

const COLUMNS =
  'workspace_id, key_id, name, scopes, created_at, created_by, expires_at, last_used_at, rate_limits, seq';

const valuesOf = ({ rateLimits, ...key }: KeyToStore) => [
  key.workspaceId,
  key.keyId,
  key.name,
  key.hash,
  key.scopes,
  key.createdBy,
  key.expiresAt,
  rateLimits ? jsonParam(rateLimits) : null,
];

const INSERT = `insert into api_keys (workspace_id, key_id, name, key_hash, scopes, created_by, expires_at,
    rate_limits)
  values ($1, $2, $3, $4, $5, $6, $7, $8::jsonb)`;

export async function insertApiKey(db: Queryable, key: KeyToStore): Promise<KeyRow> {
  const { rows } = await db.query<KeyRow>(`${INSERT} returning ${COLUMNS}`, valuesOf(key));
  if (!rows[0]) throw new Error('an insert gave no row');
  return rows[0];
}

/** Stores a key, in place of the one that had its id. */
export async function putApiKey(db: Queryable, key: KeyToStore): Promise<void> {
  await db.query(
    `${INSERT} on conflict (workspace_id, key_id) do update set name = excluded.name, key_hash = excluded.key_hash,
       scopes = excluded.scopes, expires_at = excluded.expires_at`,
    valuesOf(key),
  );
}

/** The key of a hash, with the hash as it is stored. */
export async function findApiKey(
  db: Queryable,
  hash: Buffer,
): Promise<(KeyRow & { key_hash: Buffer }) | null> {
  const { rows } = await db.query<KeyRow & { key_hash: Buffer }>(
    `select ${COLUMNS}, key_hash from api_keys where key_hash = $1`,
    [hash],
  );
  return rows[0] ?? null;
}

/** Keys of a workspace in order of creation; `after` and `before` are exclusive `seq` bounds. */
export async function selectApiKeys(
  db: Queryable,
  workspaceId: string,
  page: { after: string | null; before: string | null; limit: number; descending: boolean },
): Promise<KeyRow[]> {
  const { rows } = await db.query<KeyRow>(
    `select ${COLUMNS} from api_keys
     where workspace_id = $1 and ($2::bigint is null or seq > $2) and ($3::bigint is null or seq < $3)
     order by seq ${page.descending ? 'desc' : 'asc'} limit $4`,
    [workspaceId, page.after, page.before, page.limit],
  );
  return rows;
}

/** False when there is none. */
export async function deleteApiKey(db: Queryable, workspaceId: string, keyId: string): Promise<boolean> {
  const { rowCount } = await db.query('delete from api_keys where workspace_id = $1 and key_id = $2', [
    workspaceId,
    keyId,
  ]);
  return rowCount > 0;
}

/** Whether there is any key, in whatever workspace, valid or expired. */
export async function isAnyApiKey(db: Queryable): Promise<boolean> {
  return (await db.query('select 1 from api_keys limit 1')).rows.length > 0;
}

/** Whether there is a key that is over all workspaces and does not expire, other than the one named. */
export async function isServiceKey(
  db: Queryable,
  except: { workspaceId: string; keyId: string } | null = null,
): Promise<boolean> {
  const { rows } = await db.query(
    `select 1 from api_keys where 'service' = any(scopes) and expires_at is null
       and ($1::text is null or workspace_id <> $1 or key_id <> $2) limit 1`,
    [except?.workspaceId ?? null, except?.keyId ?? null],
  );
  return rows.length > 0;
}

/** Lets one transaction at a time decide whether a key may come or go, by what keys there are. */
export async function holdApiKeys(tx: Queryable): Promise<void> {
  await tx.query("select pg_advisory_xact_lock(hashtext('forge api keys'))");
}

/** Notes that a key was used now, unless that was noted within the last minute. */
export async function markApiKeyUsed(db: Queryable, workspaceId: string, keyId: string): Promise<void> {
  await db.query(
    `update api_keys set last_used_at = now() where workspace_id = $1 and key_id = $2
       and (last_used_at is null or last_used_at < now() - interval '1 minute')`,
    [workspaceId, keyId],
  );
}
