import { emptyState } from '../../src/contract/state.ts';
import type { Queryable } from '../../src/db/database.ts';
import { markSearchable, replaceParentsAndLeaves } from '../../src/db/documents.ts';
import { writeLeafPostings } from '../../src/db/postings.ts';
import { insertProject } from '../../src/db/projects.ts';
import { realArray } from '../../src/db/real-array.ts';
import type { Leaf, Parent } from '../../src/documents/chunking/chunks.ts';
import { DEFAULT_WORKSPACE, type Scope } from '../../src/scope.ts';
import { buildPostings, HEADER_WEIGHT } from '../../src/text/postings.ts';

/** A document that is cut already; its name is its file id too. */
export interface StoredDocument {
  filename: string;
  mediaType?: string;
  parents: Parent[];
  leaves: Leaf[];
}

/** An empty project of the default workspace. */
export async function storeProject(db: Queryable, projectId: string): Promise<Scope> {
  const scope = { workspaceId: DEFAULT_WORKSPACE, projectId };
  await insertProject(db, scope, { name: projectId, state: emptyState() });
  return scope;
}

/** Stores a document as ingestion does when it has cut and embedded it, without its bytes. */
export async function storeDocument(
  tx: Queryable,
  scope: Scope,
  document: StoredDocument,
  vectorOf: (leaf: Leaf) => Float32Array | undefined,
  headerWeight = HEADER_WEIGHT,
): Promise<void> {
  const { filename, mediaType = 'text/markdown', parents, leaves } = document;
  await tx.query(
    `insert into files (workspace_id, project_id, file_id, name, media_type, status, version)
     values ($1, $2, $3, $3, $4, 'completed', 1)`,
    [scope.workspaceId, scope.projectId, filename, mediaType],
  );
  await replaceParentsAndLeaves(tx, scope, filename, 1, { parents, leaves });
  await storeVectors(tx, scope, filename, leaves, vectorOf);
  const postings = buildPostings(leaves, headerWeight);
  await writeLeafPostings(tx, scope, filename, postings);
  await markSearchable(tx, scope, filename, 1, {
    leaves: leaves.length,
    parents: parents.length,
    tokens: 0,
  });
}

async function storeVectors(
  tx: Queryable,
  scope: Scope,
  fileId: string,
  leaves: readonly Leaf[],
  vectorOf: (leaf: Leaf) => Float32Array | undefined,
): Promise<void> {
  const vectors = leaves.flatMap((leaf) => {
    const vector = vectorOf(leaf);
    return vector ? [{ leafId: leaf.id, vector }] : [];
  });
  await tx.query(
    `insert into leaf_vectors (workspace_id, project_id, leaf_id, file_id, embedding)
     select $1, $2, leaf_id, $6, ($4::real[])[(n - 1) * $5::int + 1 : n * $5]::vector
     from unnest($3::text[]) with ordinality as v (leaf_id, n)`,
    [
      scope.workspaceId,
      scope.projectId,
      vectors.map(({ leafId }) => leafId),
      realArray(vectors.map(({ vector }) => vector)),
      vectors[0]?.vector.length ?? 0,
      fileId,
    ],
  );
}
