import { z } from 'zod';
import type { FilePreview } from '../../services/file-preview.ts';
import { fidelitySchema, fileFailureSchema } from './file.ts';
import { leafSchema, leafView } from './leaf.ts';

/** What an upload would become, as the contract shows it. */
export const filePreviewSchema = z
  .object({
    object: z.literal('file_preview'),
    name: z.string(),
    media_type: z.string(),
    bytes: z.int(),
    sha256: z.string(),
    last_error: fileFailureSchema.nullable().describe('Why the upload would fail.'),
    fidelity: fidelitySchema.nullable(),
    chunking: z.looseObject({ strategy: z.string() }).describe('How it would be cut.'),
    chunk_count: z.int(),
    parent_count: z.int(),
    token_estimate: z.int(),
    embedding: z
      .object({
        model: z.string(),
        tokens: z.int(),
        cost_usd: z.number().nullable().describe('At list price; null where that is not known.'),
      })
      .describe('What embedding all of it takes; leaves that were embedded before are not embedded again.'),
    leaves: z.array(leafSchema).describe('The first 20.'),
  })
  .meta({ id: 'FilePreview', description: 'An upload that was tried only: nothing of it was stored.' });

/** @see filePreviewSchema */
export const filePreviewView = (preview: FilePreview): z.infer<typeof filePreviewSchema> => ({
  object: 'file_preview',
  name: preview.name,
  media_type: preview.mediaType,
  bytes: preview.bytes,
  sha256: preview.sha256,
  last_error: preview.failure,
  fidelity: preview.fidelity as z.infer<typeof fidelitySchema> | null,
  chunking: preview.chunking,
  chunk_count: preview.leafCount,
  parent_count: preview.parentCount,
  token_estimate: preview.tokenEstimate,
  embedding: {
    model: preview.embedding.model,
    tokens: preview.embedding.tokens,
    cost_usd: preview.embedding.costUsd,
  },
  leaves: preview.leaves.map(leafView),
});
