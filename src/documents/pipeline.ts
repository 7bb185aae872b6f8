import type { Database } from '../db/database.ts';
import {
  insertLeafVectors,
  markSearchable,
  replaceParentsAndLeaves,
  selectEmbeddedLeafIds,
} from '../db/documents.ts';
import { readSource, saveConversion } from '../db/file-versions.ts';
import { type FileStage, updateProgress } from '../db/files.ts';
import { holdProject, refreshFileSummaries } from '../db/projects.ts';
import { embedWithCache } from '../embeddings/cache.ts';
import type { EmbeddingModel } from '../embeddings/model.ts';
import { toVectorText } from '../embeddings/vector-text.ts';
import { buildPostings, writeLeafPostings } from '../retrieval/postings.ts';
import type { Scope } from '../scope.ts';
import { storableText } from '../text.ts';
import { chunkDocument } from './chunk.ts';
import { chunkingSchema } from './chunking.ts';
import { detectFormat } from './convert/detect.ts';
import type { Converter } from './convert/pool.ts';
import type { Leaf } from './document.ts';

/** What ingestion needs from outside. */
export interface PipelineDeps {
  db: Database;
  converter: Converter;
  embeddingModel: EmbeddingModel;
}

/** A newer upload took the version's place, or the file was deleted: there is nothing left to do. */
class Superseded extends Error {}

/**
 * Takes a stored upload to searchable sections: convert, section, size, embed, store. The slow steps run outside any
 * transaction; one short transaction at the end puts the new version in the place of the one before. Every step can be
 * repeated: vectors are kept as they arrive, so a second run after a crash embeds only what the first had not.
 *
 * @returns false when the version is gone or a newer one took its place
 * @throws ConversionError, EmbeddingError
 */
export async function ingestVersion(
  deps: PipelineDeps,
  scope: Scope,
  file: { fileId: string; version: number; attempt: number },
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await runStages(deps, scope, file, signal);
    return true;
  } catch (error) {
    if (error instanceof Superseded) return false;
    throw error;
  }
}

async function runStages(
  { db, converter, embeddingModel }: PipelineDeps,
  scope: Scope,
  { fileId, version, attempt }: { fileId: string; version: number; attempt: number },
  signal: AbortSignal,
): Promise<void> {
  const enter = async (stage: FileStage, chunksTotal?: number) => {
    signal.throwIfAborted();
    const progress = { stage, ...(chunksTotal !== undefined && { chunksTotal, chunksDone: 0 }) };
    if (!(await updateProgress(db, scope, fileId, version, progress))) throw new Superseded();
  };
  const started = { status: 'in_progress', attempt, lastError: null } as const;
  if (!(await updateProgress(db, scope, fileId, version, started))) throw new Superseded();

  await enter('converting');
  const source = await readSource(db, scope, fileId, version);
  if (!source) throw new Superseded();
  const { format } = detectFormat(source.name, source.bytes);
  const converted = await converter.convert({ name: source.name, bytes: source.bytes, format }, signal);
  const markdown = storableText(converted.markdown);

  await enter('chunking');
  const document = chunkDocument({
    filename: source.name,
    markdown,
    format: converted.format,
    ...(converted.pageStarts && { pageStarts: converted.pageStarts }),
    chunking: chunkingSchema.parse(source.chunking),
  });
  const { parents, leaves } = document;

  await enter('embedding', leaves.length);
  const kept = await selectEmbeddedLeafIds(db, scope, fileId);
  const fresh = leaves.filter((leaf) => !kept.has(leaf.id));
  const { vectors } = await embedWithCache(db, embeddingModel, fresh.map(embeddingInput), {
    inputType: 'document',
    signal,
    onProgress: (done) => {
      const chunksDone = leaves.length - fresh.length + done;
      // shown to whoever watches; the next write corrects one that is lost
      updateProgress(db, scope, fileId, version, { chunksDone }).catch(() => undefined);
    },
  });
  const postings = buildPostings(leaves);

  await enter('storing');
  await db.transaction(async (tx) => {
    if (!(await holdProject(tx, scope))) throw new Superseded();
    // locks the file's row: whoever else swaps a version of it waits
    if (!(await updateProgress(tx, scope, fileId, version, { stage: 'storing' }))) throw new Superseded();
    await saveConversion(tx, scope, fileId, version, {
      format: converted.format,
      markdown,
      fidelity: converted.fidelity,
    });
    await replaceParentsAndLeaves(tx, scope, fileId, version, document);
    await insertLeafVectors(
      tx,
      scope,
      fresh.map((leaf, index) => ({
        leafId: leaf.id,
        vector: toVectorText(vectors[index] ?? new Float32Array()),
      })),
    );
    await writeLeafPostings(tx, scope, fileId, postings);
    await markSearchable(tx, scope, fileId, version, {
      leaves: leaves.length,
      parents: parents.length,
      tokens: parents.reduce((sum, parent) => sum + parent.tokens, 0),
      lexicalLength: postings.totalLength,
    });
    const embedded = await selectEmbeddedLeafIds(tx, scope, fileId);
    // an older version was swapped in meanwhile and took leaves away that this run counted on: run again
    if (embedded.size !== leaves.length) throw new Error('leaves changed while the version was made');
    await refreshFileSummaries(tx, scope);
  });
}

/** What a leaf is embedded as: its context header in front of its text. */
function embeddingInput(leaf: Leaf): { hash: string; text: string } {
  return { hash: leaf.contentHash, text: `${leaf.breadcrumb}\n\n${leaf.text}` };
}
