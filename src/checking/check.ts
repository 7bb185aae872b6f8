import type { z } from 'zod';
import type { FieldError } from '../errors.ts';
import { inWords, MOST_ERRORS } from './messages.ts';

/** A value that fits its schema, as the schema makes it, or what is wrong with it. */
export type Checked<T> = { ok: true; value: T } | { ok: false; errors: FieldError[]; cause: z.ZodError };

type Pointer = (path: readonly PropertyKey[]) => string;

/** A JSON pointer (RFC 6901) from its parts; the empty string is the whole document. */
export const jsonPointer: Pointer = (path) =>
  path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** The name of a parameter, with dots to what is within it. */
export const parameterName: Pointer = (path) => path.map(String).join('.');

/** The value is not even of the kind that this branch of a union takes. */
const isOtherKind = (branch: readonly z.core.$ZodIssue[]): boolean =>
  branch.some(({ path, code }) => path.length === 0 && (code === 'invalid_type' || code === 'invalid_value'));

/** The branch of a union that was probably meant: of those that take such a kind of value the one that fits best. */
function branchMeant(branches: readonly z.core.$ZodIssue[][]): z.core.$ZodIssue[] | undefined {
  return branches.filter((branch) => !isOtherKind(branch)).sort((a, b) => a.length - b.length)[0];
}

function errorsOf(issue: z.core.$ZodIssue, pointer: Pointer): FieldError[] {
  const { code, path, message } = issue;
  if (code === 'unrecognized_keys') {
    const lines = message.split('\n');
    return lines.map((detail, index) => ({
      pointer: pointer([...path, issue.keys[index] ?? '']),
      detail,
      code,
    }));
  }
  const meant = code === 'invalid_union' ? branchMeant(issue.errors) : undefined;
  if (meant === undefined) return [{ pointer: pointer(path), detail: message, code }];
  return meant.flatMap((inner) => errorsOf({ ...inner, path: [...path, ...inner.path] }, pointer));
}

/**
 * Holds a value against a schema: the one place where what zod finds is put into words.
 *
 * @param pointer how the place of a field is written
 * @returns what is wrong: the first 50
 */
export function check<T>(schema: z.ZodType<T>, value: unknown, pointer: Pointer = jsonPointer): Checked<T> {
  const result = schema.safeParse(value, { error: inWords });
  if (result.success) return { ok: true, value: result.data };
  const errors = result.error.issues
    .slice(0, MOST_ERRORS)
    .flatMap((issue) => errorsOf(issue, pointer))
    .slice(0, MOST_ERRORS);
  return { ok: false, errors, cause: result.error };
}
