import type { Scope } from '../scope.ts';
import type { Queryable } from './database.ts';

/** What is encrypted with a key; null: what is not encrypted. */
export interface KeyUse {
  keyId: string | null;
  originals: number;
  /** Of the originals together. */
  bytes: number;
  /** Secrets of webhooks. */
  secrets: number;
}

/** The keys that originals and secrets of webhooks are encrypted with. */
export async function selectKeyUse(db: Queryable): Promise<KeyUse[]> {
  const { rows } = await db.query<Omit<KeyUse, 'keyId'> & { key_id: string | null }>(
    `select key_id, sum(originals)::int as originals, sum(bytes)::float8 as bytes, sum(secrets)::int as secrets from (
       select key_id, count(*) as originals, sum(byte_length) as bytes, 0 as secrets from file_versions group by key_id
       union all
       select key_id, 0, 0, count(*) from (
         select secret_key_id as key_id from webhooks
         union all
         select previous_key_id from webhooks where previous_until > now()) stored group by key_id) used
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

const FOREIGN = 'key_id is distinct from $1 and (key_id is null or key_id = any ($2::text[]))';
/** Looked at in one go: those that another process holds are passed over. */
const CANDIDATES = 20;

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
  const of = [keys.active, [...keys.known]];
  for (let behind = after; ; ) {
    // chosen over all projects, and held one by one: a cluster holds rows of one project at a time
    const { rows } = await tx.query<ForeignOriginal>(
      `select workspace_id as "workspaceId", project_id as "projectId", file_id as "fileId", version, byte_length as "byteLength"
       from file_versions where ${FOREIGN} and (workspace_id, project_id, file_id, version) > ($3, $4, $5, $6)
       order by workspace_id, project_id, file_id, version limit ${CANDIDATES}`,
      [...of, behind?.workspaceId ?? '', behind?.projectId ?? '', behind?.fileId ?? '', behind?.version ?? 0],
    );
    for (const found of rows) {
      const { rowCount } = await tx.query(
        `select 1 from file_versions where ${FOREIGN} and workspace_id = $3 and project_id = $4 and file_id = $5 and version = $6
         for update skip locked`,
        [...of, found.workspaceId, found.projectId, found.fileId, found.version],
      );
      if (rowCount > 0) return found;
    }
    behind = rows.at(-1) ?? null;
    if (rows.length < CANDIDATES) return null;
  }
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
