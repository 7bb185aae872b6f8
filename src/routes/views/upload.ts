import { z } from 'zod';
import type { FileRecord } from '../../db/files.ts';
import type { Scope } from '../../scope.ts';
import type { UploadResult } from '../../services/file-uploads.ts';
import { problemSchema } from '../plumbing/problems.ts';
import { fileSchema } from './file.ts';

/** Header of an upload's answer; in a list each entry has its own. */
export const UPLOAD_RESULT = 'upload-result';

/** The verdicts on an upload of several files, as the contract shows them. */
export const uploadListSchema = z
  .object({
    object: z.literal('upload_list'),
    data: z.array(
      z.object({
        name: z.string().nullable(),
        status: z.int().describe('The status this part would have had alone.'),
        result: z
          .enum(['created', 'replaced', 'unchanged', 'skipped'])
          .nullable()
          .describe(
            'What became of it; null when it was refused. Alone it is in the header `Upload-Result`.',
          ),
        file: fileSchema.nullable(),
        problem: problemSchema.nullable(),
      }),
    ),
  })
  .meta({ id: 'UploadList', description: 'A verdict for each file of a request with several.' });

/** The address of a file. */
export const fileUrl = (scope: Scope, name: string): string =>
  `/projects/${scope.projectId}/files/${encodeURIComponent(name)}`;

/** The status of an upload: 202 while work is to be done, 201 when it made a version, 200 when it changed nothing. */
export function uploadStatus(file: FileRecord, result: UploadResult): 200 | 201 | 202 {
  if (file.status === 'queued' || file.status === 'in_progress') return 202;
  return result === 'created' || result === 'replaced' ? 201 : 200;
}
