import { z } from 'zod';
import { fidelitySchema } from './fidelity.ts';
import { fileFailureSchema } from './file.ts';
import { leafSchema } from './leaf.ts';

/** What an upload would become. */
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
export type FilePreview = z.infer<typeof filePreviewSchema>;
