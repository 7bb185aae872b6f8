import type { Scope } from '../scope.ts';
import type { Queryable } from './database.ts';

/** How many originals are encrypted with a key, and their length in bytes; null: those that are not encrypted. */
export interface KeyUse {
  keyId: string | null;
  originals: number;
  bytes: number;
}

/** The keys that originals are encrypted with. */
export async function selectKeyUse(db: Queryable): Promise<KeyUse[]> {
  const { rows } = await db.query<{ key_id: string | null; originals: number; bytes: number }>(
    `select key_id, count(*)::int as originals, sum(byte_length)::float8 as bytes from file_versions
     group by key_id order by key_id nulls first`,
  );
  return rows.map(({ key_id, ...use }) => ({ keyId: key_id, ...use }));
}

/** An original that is to be encrypted with another key. */
export interface ForeignOriginal extends Scope {
  fileId: string;
  version: number;
  byteLength: number;
}

/**
 * The next original behind `after` that is not encrypted with the active key and can be read, its row held until the transaction
 * ends; null when there is none. Those that another process holds are passed over.
 *
 * @param keys.active null: it is to be stored as it came
 * @param keys.known the keys that there are
 */
export async function holdForeignOriginal(
  tx: Queryable,
  keys: { active: string | null; known: readonly string[] },
  after: ForeignOriginal | null,
): Promise<ForeignOriginal | null> {
  const { rows } = await tx.query<{
    workspace_id: string;
    project_id: string;
    file_id: string;
    version: number;
    byte_length: number;
  }>(
    `select workspace_id, project_id, file_id, version, byte_length from file_versions
     where key_id is distinct from $1 and (key_id is null or key_id = any ($2::text[]))
       and (workspace_id, project_id, file_id, version) > ($3, $4, $5, $6)
     order by workspace_id, project_id, file_id, version limit 1 for update skip locked`,
    [
      keys.active,
      [...keys.known],
      after?.workspaceId ?? '',
      after?.projectId ?? '',
      after?.fileId ?? '',
      after?.version ?? 0,
    ],
  );
  const row = rows[0];
  if (!row) return null;
  const { workspace_id: workspaceId, project_id: projectId, file_id: fileId, version, byte_length } = row;
  return { workspaceId, projectId, fileId, version, byteLength: byte_length };
}

/** Stores an original in another way; what it is stays as it was. */
export async function replaceStored(
  tx: Queryable,
  { workspaceId, projectId, fileId, version }: ForeignOriginal,
  stored: { bytes: Buffer; keyId: string | null },
): Promise<void> {
  await tx.query(
    `update file_versions set bytes = $5, key_id = $6
     where workspace_id = $1 and project_id = $2 and file_id = $3 and version = $4`,
    [workspaceId, projectId, fileId, version, stored.bytes, stored.keyId],
  );
}
