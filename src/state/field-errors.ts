import type { z } from 'zod';
import type { FieldError } from '../errors.ts';

// A hostile body can be wrong in hundreds of thousands of places; nobody reads more than these.
const MOST = 50;

/** A JSON pointer (RFC 6901) from its parts; the empty string is the whole document. */
export function jsonPointer(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** What zod found wrong, as fields with JSON pointers: the first 50. */
export function fieldErrors(error: z.ZodError): FieldError[] {
  const errors: FieldError[] = [];
  for (const issue of error.issues) {
    if (errors.length >= MOST) break;
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys.slice(0, MOST)) {
        const pointer = jsonPointer([...issue.path, key]);
        errors.push({ pointer, detail: 'There is no such field.', code: issue.code });
      }
    } else {
      errors.push({ pointer: jsonPointer(issue.path), detail: issue.message, code: issue.code });
    }
  }
  return errors.slice(0, MOST);
}
