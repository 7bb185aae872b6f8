import type { Queryable } from '../../src/db/database.ts';
import { insertLeafVectors, markSearchable, replaceParentsAndLeaves } from '../../src/db/documents.ts';
import { insertProject } from '../../src/db/projects.ts';
import type { Leaf, Parent } from '../../src/documents/document.ts';
import { toVectorText } from '../../src/embeddings/vector-text.ts';
import { buildPostings, writeLeafPostings } from '../../src/retrieval/postings.ts';
import { DEFAULT_WORKSPACE, type Scope } from '../../src/scope.ts';
import { emptyState } from '../../src/state/schema.ts';

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
): Promise<void> {
  const { filename, mediaType = 'text/markdown', parents, leaves } = document;
  await tx.query(
    `insert into files (workspace_id, project_id, file_id, name, media_type, status, version)
     values ($1, $2, $3, $3, $4, 'completed', 1)`,
    [scope.workspaceId, scope.projectId, filename, mediaType],
  );
  await replaceParentsAndLeaves(tx, scope, filename, 1, { parents, leaves });
  const vectors = leaves.flatMap((leaf) => {
    const vector = vectorOf(leaf);
    return vector ? [{ leafId: leaf.id, vector: toVectorText(vector) }] : [];
  });
  await insertLeafVectors(tx, scope, vectors);
  const postings = buildPostings(leaves);
  await writeLeafPostings(tx, scope, filename, postings);
  await markSearchable(tx, scope, filename, 1, {
    leaves: leaves.length,
    parents: parents.length,
    tokens: 0,
    lexicalLength: postings.totalLength,
  });
}
