import { z } from 'zod';
import { fileSchema } from './file.ts';
import { problemSchema } from './problem.ts';
import { kind } from './shared.ts';

const uploadResultSchema = z.enum(['created', 'replaced', 'unchanged', 'skipped']);
/** What became of an upload. */
export type UploadResult = z.infer<typeof uploadResultSchema>;

/** The verdicts on an upload of several files. */
export const uploadListSchema = z
  .object({
    object: kind('upload_list'),
    data: z
      .array(
        z.object({
          name: z.string().nullable().describe('The name of the file; null where the part had none.'),
          status: z.int().describe('The status this part would have had alone.'),
          result: uploadResultSchema
            .nullable()
            .describe(
              'What became of it; null when it was refused. Alone it is in the header `Upload-Result`.',
            ),
          file: fileSchema.nullable().describe('The file; null when it was refused.'),
          problem: problemSchema.nullable().describe('Why it was refused; null when it was not.'),
        }),
      )
      .describe('The verdicts, in the order of the parts.'),
  })
  .meta({ id: 'UploadList', description: 'A verdict for each file of a request with several.' });
export type UploadList = z.infer<typeof uploadListSchema>;
