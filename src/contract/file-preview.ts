import { z } from 'zod';
import { contextEstimateSchema } from './contexts.ts';
import { fidelitySchema } from './fidelity.ts';
import { fileFailureSchema } from './file.ts';
import { leafSchema } from './leaf.ts';
import { filenameSchema, kind } from './shared.ts';

/** What an upload would become. */
export const filePreviewSchema = z
  .object({
    object: kind('file_preview'),
    name: filenameSchema,
    media_type: z.string().describe('Its media type, as its name and its bytes say.'),
    bytes: z.int().describe('The length of the upload, in bytes.'),
    sha256: z.string().describe('sha-256 of the bytes, in hex.'),
    last_error: fileFailureSchema.nullable().describe('Why the upload would fail.'),
    fidelity: fidelitySchema.nullable().describe('What the conversion keeps and loses; null where it fails.'),
    chunking: z
      .looseObject({
        strategy: z.string().describe('`hierarchical` or `fixed`; the other members are its settings.'),
      })
      .describe('How it would be cut.'),
    chunk_count: z.int().describe('Leaves that it would have.'),
    parent_count: z.int().describe('Sections that it would have.'),
    token_estimate: z.int().describe('Tokens of the whole text.'),
    embedding: z
      .object({
        model: z.string().describe('The embedding model.'),
        tokens: z.int().describe('Tokens of all leaves together.'),
        cost_usd: z.number().nullable().describe('At list price; null where that is not known.'),
      })
      .describe(
        'What embedding all of it takes, twice where contexts are written; leaves that were embedded before are not embedded again.',
      ),
    contexts: contextEstimateSchema
      .nullable()
      .describe(
        'What writing a context for each leaf takes; leaves that have one keep it. Null where none are written.',
      ),
    leaves: z.array(leafSchema).describe('The first 20.'),
  })
  .meta({ id: 'FilePreview', description: 'An upload that was tried only: nothing of it was stored.' });
export type FilePreview = z.infer<typeof filePreviewSchema>;
