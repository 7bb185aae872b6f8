import { z } from 'zod';
import { whyNotJson } from '../../checking/json-text.ts';
import { chunkingSchema } from '../../contract/chunking.ts';
import { ON_DUPLICATE, type UploadOptions } from '../../services/file-uploads.ts';
import { formFields } from './validation.ts';

const jsonText = z
  .string()
  .max(2_000)
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue({ code: 'custom', message: `must be JSON; ${whyNotJson(text)}` });
      return z.NEVER;
    }
  });

/** How an upload is to be taken: query parameters, or plain form fields that stand before the file. */
export const uploadOptionsSchema = z.object({
  on_duplicate: z
    .enum(ON_DUPLICATE)
    .optional()
    .describe(
      'For a name that is there already: `replace` (the default) makes a new version, `skip` leaves the file as it is, `error` refuses.',
    ),
  min_fidelity: z.coerce
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe(
      '0 to 1: a conversion that keeps less fails as `low_fidelity`, with its bytes and its report kept.',
    ),
  contextual: z
    .enum(['true', 'false'])
    .optional()
    .describe(
      'Whether a model writes a sentence or two on where each leaf stands in its document, to be searched with it; without, as the file has it, or the project or the service is set. A dry run says what it costs.',
    ),
  chunking: jsonText
    .pipe(chunkingSchema)
    .optional()
    .describe(
      'How to cut it, as JSON: `{"strategy":"hierarchical","leaf_max_tokens":300}` or `{"strategy":"fixed","chunk_chars":1500,"overlap_chars":200}`.',
    ),
});

type RawOptions = z.infer<typeof uploadOptionsSchema>;

/**
 * The options of one file: fields win over parameters.
 *
 * @throws AppError `invalid_request` for a field that cannot be read
 */
export function uploadOptions(query: RawOptions, fields: Readonly<Record<string, string>>): UploadOptions {
  const options = { ...query, ...formFields(uploadOptionsSchema, fields) };
  return {
    onDuplicate: options.on_duplicate ?? 'replace',
    chunking: options.chunking ?? null,
    minFidelity: options.min_fidelity ?? null,
    contextual: options.contextual === undefined ? null : options.contextual === 'true',
  };
}
