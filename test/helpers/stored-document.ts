import type { Queryable } from '../../src/db/database.ts';
import { markSearchable, replaceParentsAndLeaves } from '../../src/db/documents.ts';
import { writeLeafPostings } from '../../src/db/postings.ts';
import type { Leaf, Parent } from '../../src/documents/chunking/chunks.ts';
import type { Scope } from '../../src/scope.ts';
import { buildPostings, HEADER_WEIGHT } from '../../src/text/postings.ts';
import { storeFile } from './rows/file.ts';
import { storeLeafVectors } from './rows/leaf-vectors.ts';

/** A document that is cut already; its name is its file id too. */
export interface StoredDocument {
  filename: string;
  mediaType?: string;
  parents: Parent[];
  leaves: Leaf[];
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
  await storeFile(tx, scope, filename, { mediaType });
  await replaceParentsAndLeaves(tx, scope, filename, 1, { parents, leaves });
  const vectors = leaves.flatMap((leaf) => {
    const vector = vectorOf(leaf);
    return vector ? [{ leafId: leaf.id, vector }] : [];
  });
  await storeLeafVectors(tx, scope, filename, vectors);
  const postings = buildPostings(leaves, headerWeight);
  await writeLeafPostings(tx, scope, filename, postings);
  await markSearchable(tx, scope, filename, 1, {
    leaves: leaves.length,
    parents: parents.length,
    tokens: 0,
    vectorsPending: 0,
  });
}
