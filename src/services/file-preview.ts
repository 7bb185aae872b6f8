import type { Chunking } from '../contract/chunking.ts';
import type { FileFailure } from '../contract/file.ts';
import type { FilePreview } from '../contract/file-preview.ts';
import type { Leaf } from '../contract/leaf.ts';
import type { Leaf as CutLeaf } from '../documents/chunking/chunks.ts';
import type { Converter } from '../documents/conversion/pool.ts';
import { ConversionError } from '../documents/formats/converted.ts';
import type { EmbeddingModel } from '../embeddings/model.ts';
import { makesVectors } from '../embeddings/off.ts';
import { emptyFile } from '../errors.ts';
import { costUsd } from '../llm/pricing.ts';
import type { Scope } from '../scope.ts';
import { countTokens } from '../text/tokens.ts';
import type { ContextService } from './contexts/contexts.ts';
import { detectUpload } from './detect-upload.ts';
import { fileNameFrom } from './file-names.ts';
import type { Upload, UploadOptions } from './file-uploads.ts';
import { lowFidelity } from './ingestion/low-fidelity.ts';

/** Leaves that a preview shows. */
const SHOWN_LEAVES = 20;

export interface FilePreviewDeps {
  converter: Converter;
  embeddingModel: Pick<EmbeddingModel, 'id' | 'provider'>;
  defaultChunking: Chunking;
  contexts: Pick<ContextService, 'estimateUpload'>;
}

/** The use case of an upload that is only tried: converted and cut, and nothing of it stored. */
export function createFilePreview({ converter, embeddingModel, defaultChunking, contexts }: FilePreviewDeps) {
  return {
    /**
     * Converts and cuts an upload without storing anything. The cost is that of embedding all of it, at list price and
     * counted in o200k tokens: an upper bound, since leaves that were embedded before are not embedded again.
     *
     * @throws AppError `invalid_file_name`, `empty_file`, `unsupported_media_type`, `contexts_unavailable`
     */
    async preview(
      scope: Scope,
      upload: Upload,
      options: Pick<UploadOptions, 'chunking' | 'minFidelity' | 'contextual'>,
      signal: AbortSignal,
    ): Promise<FilePreview> {
      const name = fileNameFrom(upload.name);
      if (upload.bytes.length === 0) {
        throw emptyFile(name);
      }
      const { mediaType, format } = detectUpload(name, upload.bytes);
      const chunking = options.chunking ?? defaultChunking;
      const facts = {
        object: 'file_preview',
        name,
        media_type: mediaType,
        bytes: upload.bytes.length,
        sha256: upload.sha256,
        chunking,
      } as const;
      try {
        const { converted, document } = await converter.convert(
          { name, bytes: upload.bytes, format, chunking },
          { signal },
        );
        const { parents, leaves } = document;
        const embedded = makesVectors(embeddingModel) ? leaves : [];
        const estimate = await contexts.estimateUpload(
          scope,
          { name, contextual: options.contextual },
          leaves,
        );
        const once = embedded.reduce((sum, leaf) => sum + leaf.tokens + countTokens(leaf.breadcrumb), 0);
        const tokens = estimate && embedded.length > 0 ? 2 * once + estimate.output_tokens : once;
        const refusal = lowFidelity(converted.fidelity, options.minFidelity);
        return {
          ...facts,
          last_error: refusal && failureOf(refusal),
          fidelity: converted.fidelity,
          parent_count: parents.length,
          chunk_count: leaves.length,
          token_estimate: parents.reduce((sum, parent) => sum + parent.tokens, 0),
          embedding: {
            model: embeddingModel.id,
            tokens,
            cost_usd: costUsd(embeddingModel.id, { inputTokens: tokens }),
          },
          contexts: estimate,
          leaves: leaves.slice(0, SHOWN_LEAVES).map(shownLeaf),
        };
      } catch (error) {
        if (!(error instanceof ConversionError)) throw error;
        return {
          ...facts,
          last_error: failureOf(error),
          fidelity: null,
          parent_count: 0,
          chunk_count: 0,
          token_estimate: 0,
          embedding: { model: embeddingModel.id, tokens: 0, cost_usd: 0 },
          contexts: null,
          leaves: [],
        };
      }
    },
  };
}

const shownLeaf = (leaf: CutLeaf): Leaf => ({
  object: 'leaf',
  id: leaf.id,
  parent_id: leaf.parentId,
  leaf_index: leaf.leafIndex,
  header_path: leaf.headerPath,
  context_header: leaf.breadcrumb,
  context: null,
  text: leaf.text,
  char_start: leaf.charStart,
  char_end: leaf.charEnd,
  page: leaf.page,
  tokens: leaf.tokens,
  oversized: leaf.oversized,
});

const failureOf = (error: ConversionError): FileFailure => ({
  code: error.code,
  message: error.message,
  retryable: false,
});
