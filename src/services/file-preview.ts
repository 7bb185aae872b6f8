import type { LeafRecord } from '../db/documents.ts';
import type { FileFailure } from '../db/files.ts';
import type { Chunking } from '../documents/chunking/settings.ts';
import type { Converter } from '../documents/conversion/pool.ts';
import { ConversionError, type FidelityReport } from '../documents/formats/converted.ts';
import { detectFormat } from '../documents/formats/detect.ts';
import type { EmbeddingModel } from '../embeddings/model.ts';
import { AppError } from '../errors.ts';
import { costUsd } from '../llm/pricing.ts';
import { countTokens } from '../text/tokens.ts';
import { fileNameFrom } from './file-names.ts';
import type { Upload, UploadOptions } from './file-uploads.ts';
import { lowFidelity } from './ingestion/low-fidelity.ts';

/** Leaves that a preview shows. */
const SHOWN_LEAVES = 20;

/** What an upload would become. */
export interface FilePreview {
  name: string;
  mediaType: string;
  bytes: number;
  sha256: string;
  /** Why it would fail; the figures below are those of what could be read. */
  failure: FileFailure | null;
  fidelity: FidelityReport | null;
  chunking: Chunking;
  parentCount: number;
  leafCount: number;
  /** Tokens of the parents: what the file reports as its estimate. */
  tokenEstimate: number;
  embedding: { model: string; tokens: number; costUsd: number | null };
  leaves: LeafRecord[];
}

export interface FilePreviewDeps {
  converter: Converter;
  embeddingModel: Pick<EmbeddingModel, 'id'>;
  defaultChunking: Chunking;
}

/** The use case of an upload that is only tried: converted and cut, and nothing of it stored. */
export function createFilePreview({ converter, embeddingModel, defaultChunking }: FilePreviewDeps) {
  return {
    /**
     * Converts and cuts an upload without storing anything. The cost is that of embedding all of it, at list price and
     * counted in o200k tokens: an upper bound, since leaves that were embedded before are not embedded again.
     *
     * @throws AppError `invalid_file_name`, `empty_file`, `unsupported_media_type`
     */
    async preview(
      upload: Upload,
      options: Pick<UploadOptions, 'chunking' | 'minFidelity'>,
      signal: AbortSignal,
    ): Promise<FilePreview> {
      const name = fileNameFrom(upload.name);
      if (upload.bytes.length === 0) {
        throw new AppError('empty_file', {
          detail: `"${name}" holds no bytes. Check the file and send it again.`,
        });
      }
      const { mediaType, format } = detectFormat(name, upload.bytes);
      const chunking = options.chunking ?? defaultChunking;
      const facts = { name, mediaType, bytes: upload.bytes.length, sha256: upload.sha256, chunking };
      try {
        const { converted, document } = await converter.convert(
          { name, bytes: upload.bytes, format, chunking },
          { signal },
        );
        const { parents, leaves } = document;
        const tokens = leaves.reduce((sum, leaf) => sum + leaf.tokens + countTokens(leaf.breadcrumb), 0);
        const refusal = lowFidelity(converted.fidelity, options.minFidelity);
        return {
          ...facts,
          failure: refusal && failureOf(refusal),
          fidelity: converted.fidelity,
          parentCount: parents.length,
          leafCount: leaves.length,
          tokenEstimate: parents.reduce((sum, parent) => sum + parent.tokens, 0),
          embedding: {
            model: embeddingModel.id,
            tokens,
            costUsd: costUsd(embeddingModel.id, { inputTokens: tokens }),
          },
          leaves: leaves.slice(0, SHOWN_LEAVES).map(({ id, ...leaf }) => ({ ...leaf, leafId: id })),
        };
      } catch (error) {
        if (!(error instanceof ConversionError)) throw error;
        return {
          ...facts,
          failure: failureOf(error),
          fidelity: null,
          parentCount: 0,
          leafCount: 0,
          tokenEstimate: 0,
          embedding: { model: embeddingModel.id, tokens: 0, costUsd: 0 },
          leaves: [],
        };
      }
    },
  };
}

const failureOf = (error: ConversionError): FileFailure => ({
  code: error.code,
  message: error.message,
  retryable: false,
});
