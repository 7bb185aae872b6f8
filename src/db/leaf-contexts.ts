import type { Scope } from '../scope.ts';
import { batches } from './batches.ts';
import type { Queryable } from './database.ts';
import { OWNER, OWNER_IDS } from './owner.ts';

/*
 * What a model wrote on leaves, kept by file and content: a leaf that says the same in the next version, under the same headings, has
 * it without more ado.
 */

/** The context `c` of each leaf `l`, where there is one. */
export const CONTEXT_OF_LEAF = `left join leaf_contexts c on c.workspace_id = l.workspace_id and c.project_id = l.project_id
  and c.file_id = l.file_id and c.content_hash = l.content_hash`;

/** What the vector of leaf `l` with context `c` is kept under; as `embeddedHash` makes it. */
export const EMBEDDED_HASH = `case when c.context is null then l.content_hash else encode(sha256(convert_to(
  l.breadcrumb || E'\\n\\n' || c.context || E'\\n\\n' || l.text, 'UTF8')), 'hex') end`;

/** How a file stands by its contexts. */
export interface ContextFile {
  fileId: string;
  name: string;
  /** The one that is searched. */
  version: number;
  /** Whether contexts are to be written, as the file or its project has it; null: as the service is set. */
  contextual: boolean | null;
  /** It has some, whoever wrote them. */
  hasContexts: boolean;
}

const CONTEXT_FILE = `select f.file_id as "fileId", f.name, f.searchable_version as version,
    coalesce(f.contextual, p.contextual) as contextual,
    exists (select from leaf_contexts c where c.workspace_id = $1 and c.project_id = $2 and c.file_id = f.file_id) as "hasContexts"
  from files f join projects p on p.workspace_id = f.workspace_id and p.project_id = f.project_id
  where f.workspace_id = $1 and f.project_id = $2 and f.searchable_version is not null`;

/** A file that is searched; null when nothing of it is. */
export async function findContextFile(
  db: Queryable,
  scope: Scope,
  fileId: string,
): Promise<ContextFile | null> {
  const { rows } = await db.query<ContextFile>(`${CONTEXT_FILE} and f.file_id = $3`, [
    scope.workspaceId,
    scope.projectId,
    fileId,
  ]);
  return rows[0] ?? null;
}

/** The files that are searched, in order of their first upload. */
export async function selectContextFiles(db: Queryable, scope: Scope): Promise<ContextFile[]> {
  const { rows } = await db.query<ContextFile>(`${CONTEXT_FILE} order by f.seq`, [
    scope.workspaceId,
    scope.projectId,
  ]);
  return rows;
}

/** What a file of some name, or one that is yet to come, would have by itself or by its project; null: as the service is set. */
export async function selectContextual(db: Queryable, scope: Scope, name: string): Promise<boolean | null> {
  const { rows } = await db.query<{ contextual: boolean | null }>(
    `select coalesce((select f.contextual from files f where f.workspace_id = $1 and f.project_id = $2 and f.name = $3),
       p.contextual) as contextual
     from projects p where p.workspace_id = $1 and p.project_id = $2`,
    [scope.workspaceId, scope.projectId, name],
  );
  return rows[0]?.contextual ?? null;
}

/** Sets what a file has for itself; false when it has it already. */
export async function setContextual(
  tx: Queryable,
  scope: Scope,
  fileId: string,
  contextual: boolean,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update files set contextual = $4, updated_at = now()
     where workspace_id = $1 and project_id = $2 and file_id = $3 and contextual is distinct from $4`,
    [scope.workspaceId, scope.projectId, fileId, contextual],
  );
  return rowCount > 0;
}

/** A leaf by its place and what is known of its context. */
export interface ContextLeaf {
  contentHash: string;
  parentId: string;
  headerPath: string[];
  charStart: number;
  charEnd: number;
  tokens: number;
  /** `tried`: the model gave none. */
  state: 'pending' | 'tried' | 'written';
}

/** The leaves of a file's searchable version, in their order. */
export async function selectContextLeaves(
  db: Queryable,
  scope: Scope,
  file: Pick<ContextFile, 'fileId' | 'version'>,
): Promise<ContextLeaf[]> {
  const { rows } = await db.query<ContextLeaf>(
    `select l.content_hash as "contentHash", l.parent_id as "parentId", l.header_path as "headerPath",
       l.char_start as "charStart", l.char_end as "charEnd", l.tokens,
       case when c.content_hash is null then 'pending' when c.context is null then 'tried' else 'written' end as state
     from document_leaves l ${CONTEXT_OF_LEAF}
     where l.workspace_id = $1 and l.project_id = $2 and l.file_id = $3 and l.version = $4 order by l.leaf_index`,
    [scope.workspaceId, scope.projectId, file.fileId, file.version],
  );
  return rows;
}

/** The texts of some leaves of a file, by content. */
export async function selectTextsByContent(
  db: Queryable,
  scope: Scope,
  fileId: string,
  contentHashes: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await db.query<{ hash: string; text: string }>(
    `select l.content_hash as hash, l.text from document_leaves l
     where l.workspace_id = $1 and l.project_id = $2 and l.file_id = $3 and l.content_hash = any ($4::text[])`,
    [scope.workspaceId, scope.projectId, fileId, contentHashes],
  );
  return new Map(rows.map(({ hash, text }) => [hash, text]));
}

/** The contexts that a file has, by the content of their leaves. */
export async function selectContexts(
  db: Queryable,
  scope: Scope,
  fileId: string,
): Promise<Map<string, string>> {
  const { rows } = await db.query<{ hash: string; context: string }>(
    `select c.content_hash as hash, c.context from leaf_contexts c
     where c.workspace_id = $1 and c.project_id = $2 and c.file_id = $3 and c.context is not null`,
    [scope.workspaceId, scope.projectId, fileId],
  );
  return new Map(rows.map(({ hash, context }) => [hash, context]));
}

/** What a model wrote on a leaf; null: nothing that can be used. */
export interface NewContext {
  contentHash: string;
  context: string | null;
  /** That was asked. */
  model: string;
}

/**
 * Keeps contexts of a file's leaves; one that a leaf has stays.
 *
 * @returns what the file is by now; null when it is gone, and nothing was kept
 */
export async function saveContexts(
  tx: Queryable,
  scope: Scope,
  fileId: string,
  contexts: readonly NewContext[],
): Promise<{ name: string; version: number | null } | null> {
  const key = [scope.workspaceId, scope.projectId, fileId];
  const written = contexts.filter(({ context }) => context !== null).length;
  const { rows } = await tx.query<{ name: string; version: number | null }>(
    `update files set context_revision = context_revision + 1, context_leaves = context_leaves + $4, updated_at = now()
     where workspace_id = $1 and project_id = $2 and file_id = $3 returning name, searchable_version as version`,
    [...key, written],
  );
  if (!rows[0]) return null;
  for (const batch of batches(contexts)) {
    await tx.query(
      `insert into leaf_contexts as c (workspace_id, project_id, file_id, content_hash, context, model)
       select ${OWNER_IDS}, $3, fresh.hash, fresh.context, fresh.model
       from unnest($4::text[], $5::text[], $6::text[]) as fresh (hash, context, model), ${OWNER}
       on conflict (workspace_id, project_id, file_id, content_hash) do update
         set context = excluded.context, model = excluded.model where c.context is null`,
      [
        ...key,
        batch.map(({ contentHash }) => contentHash),
        batch.map(({ context }) => context),
        batch.map(({ model }) => model),
      ],
    );
  }
  return rows[0];
}

/** Says that the file's contexts are being written or taken away, and how many leaves of what is searched have one by now. */
export async function markContextsPending(tx: Queryable, scope: Scope, fileId: string): Promise<void> {
  await tx.query(
    `update files f set context_state = 'pending', context_error = null, updated_at = now(),
       context_leaves = (select count(c.context)::int from document_leaves l ${CONTEXT_OF_LEAF}
         where l.workspace_id = $1 and l.project_id = $2 and l.file_id = $3 and l.version = f.searchable_version)
     where f.workspace_id = $1 and f.project_id = $2 and f.file_id = $3`,
    [scope.workspaceId, scope.projectId, fileId],
  );
}

/** Forgets contexts of leaves that are no longer there. */
export async function forgetStrayContexts(tx: Queryable, scope: Scope, fileId: string): Promise<void> {
  await tx.query(
    `delete from leaf_contexts c where c.workspace_id = $1 and c.project_id = $2 and c.file_id = $3
       and c.content_hash not in (select l.content_hash from document_leaves l
         where l.workspace_id = $1 and l.project_id = $2 and l.file_id = $3)`,
    [scope.workspaceId, scope.projectId, fileId],
  );
}

/** Forgets the contexts of a file: all, or that the model gave none. */
export async function forgetContexts(
  tx: Queryable,
  scope: Scope,
  fileId: string,
  which: 'all' | 'tried',
): Promise<void> {
  await tx.query(
    `delete from leaf_contexts c where c.workspace_id = $1 and c.project_id = $2 and c.file_id = $3
       and ($4 or c.context is null)`,
    [scope.workspaceId, scope.projectId, fileId, which === 'all'],
  );
  await tx.query(
    `update files set context_revision = context_revision + 1, context_leaves = case when $4 then 0 else context_leaves end
     where workspace_id = $1 and project_id = $2 and file_id = $3`,
    [scope.workspaceId, scope.projectId, fileId, which === 'all'],
  );
}

/** Notes how the file stands now that nothing is under way, and why leaves go without, where something has failed. */
export async function settleContexts(
  tx: Queryable,
  scope: Scope,
  fileId: string,
  { isOn, failure }: { isOn: boolean; failure: unknown },
): Promise<void> {
  await tx.query(
    `update files f set context_leaves = found.written, context_error = $5::jsonb, updated_at = now(),
       context_state = case when found.leaves = found.written and (found.written > 0 or $4) and $5 is null then 'ready'
         when found.written > 0 then 'partial' when $4 or $5 is not null then 'failed' else 'none' end
     from (select count(*)::int as leaves, count(c.context)::int as written from document_leaves l ${CONTEXT_OF_LEAF}
       join files s on s.workspace_id = l.workspace_id and s.project_id = l.project_id and s.file_id = l.file_id
         and s.searchable_version = l.version
       where l.workspace_id = $1 and l.project_id = $2 and l.file_id = $3) as found
     where f.workspace_id = $1 and f.project_id = $2 and f.file_id = $3`,
    [scope.workspaceId, scope.projectId, fileId, isOn, failure === null ? null : JSON.stringify(failure)],
  );
}

/** Gives contexts the content of leaves that are called otherwise. */
export async function renameContexts(
  tx: Queryable,
  scope: Scope,
  fileId: string,
  newHashes: ReadonlyMap<string, string>,
): Promise<void> {
  for (const batch of batches([...newHashes])) {
    await tx.query(
      `update leaf_contexts c set content_hash = hashes.fresh from unnest($4::text[], $5::text[]) as hashes (old, fresh)
       where c.workspace_id = $1 and c.project_id = $2 and c.file_id = $3 and c.content_hash = hashes.old`,
      [
        scope.workspaceId,
        scope.projectId,
        fileId,
        batch.map(([old]) => old),
        batch.map(([, fresh]) => fresh),
      ],
    );
  }
}
