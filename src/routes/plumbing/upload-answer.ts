import type { File } from '../../contract/file.ts';
import type { UploadResult } from '../../contract/upload.ts';
import { pathOf, type Scope } from '../../scope.ts';

/** Header of an upload's answer; in a list each entry has its own. */
export const UPLOAD_RESULT = 'upload-result';

/** The address of a file. */
export const fileUrl = (scope: Scope, name: string): string =>
  `${pathOf(scope)}/files/${encodeURIComponent(name)}`;

/** The status of an upload: 202 while work is to be done, 201 when it made a version, 200 when it changed nothing. */
export function uploadStatus(file: File, result: UploadResult): 200 | 201 | 202 {
  if (file.status === 'queued' || file.status === 'in_progress') return 202;
  return result === 'created' || result === 'replaced' ? 201 : 200;
}
