import { createHash } from 'node:crypto';
import type { Database } from '../../src/db/database.ts';
import { insertVersion } from '../../src/db/files.ts';
import type { ConversionInput } from '../../src/documents/conversion/pool.ts';
import { prepareDocument } from '../../src/documents/conversion/prepare.ts';
import type { EmbeddingModel } from '../../src/embeddings/model.ts';
import type { Scope } from '../../src/scope.ts';
import { ingestVersion } from '../../src/services/ingestion/ingest-version.ts';
import { WEIGHT } from '../../src/weight.ts';
import { plainOriginals } from './plain-originals.ts';

/** Stores a Markdown file in a scope and makes it searchable, without a job or a child process. */
export async function addMarkdownFile(
  { db, embeddingModel }: { db: Database; embeddingModel: EmbeddingModel },
  scope: Scope,
  name: string,
  markdown: string,
): Promise<void> {
  const bytes = Buffer.from(markdown);
  const upload = {
    fileId: createHash('sha256').update(`${scope.projectId}/${name}`).digest('hex').slice(0, 24),
    name,
    mediaType: 'text/markdown',
    byteLength: bytes.length,
    stored: () => ({ bytes, keyId: null }),
    sha256: createHash('sha256').update(bytes).digest('hex'),
    chunking: JSON.stringify({ strategy: 'hierarchical' }),
  };
  const stored = await db.transaction((tx) => insertVersion(tx, scope, upload));
  const fidelity = { score: 1, counts: {}, losses: [] };
  const converter = {
    convert: async (input: ConversionInput) =>
      prepareDocument({ markdown, format: 'markdown', fidelity }, input),
    warmUp: () => undefined,
    close: async () => undefined,
  };
  const deps = { db, originals: plainOriginals, converter, embeddingModel };
  await ingestVersion(
    deps,
    scope,
    { ...stored, attempt: 1 },
    {
      signal: new AbortController().signal,
      weight: WEIGHT.note,
    },
  );
}
