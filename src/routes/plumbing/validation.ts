import type { FastifySchemaCompiler } from 'fastify';
import { z } from 'zod';
import { type FieldError, invalidFields } from '../../errors.ts';
import { nearestName } from '../../text/nearest-name.ts';

/** A whole number in decimal digits, as parameters are written: `0x10`, ` 5`, `1e3` and nothing at all are none. */
export const digits = (minimum: number, maximum: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value),
    z.number({ error: 'must be a whole number in digits' }).int().min(minimum).max(maximum),
  );

/** The same with a fraction: `0.75`. */
export const decimal = (minimum: number, maximum: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^\d{1,16}(\.\d{1,16})?$/.test(value) ? Number(value) : value),
    z.number({ error: 'must be a number in digits' }).min(minimum).max(maximum),
  );

/** A schema that is kept elsewhere too, taking no members that it does not know. */
export const strictly = <Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>) =>
  schema.strict().describe(schema.description ?? '');

// A hostile body can be wrong in hundreds of thousands of places; nobody reads more than these.
const MOST_ERRORS = 50;

/** Where something is wrong: a JSON pointer into the body (RFC 6901), or the name of a parameter. */
export const pointerOf = (path: readonly PropertyKey[], part: string | undefined): string =>
  part === 'body' || part === undefined
    ? path.map((name) => `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('') || '/'
    : path.map(String).join('.');

/** Says what is unknown, and which known name was probably meant. */
const withNearest: z.core.$ZodErrorMap = (issue) => {
  if (issue.code !== 'unrecognized_keys') return undefined;
  const known = issue.inst instanceof z.ZodObject ? Object.keys(issue.inst.shape) : [];
  const told = issue.keys.slice(0, MOST_ERRORS).map((key) => {
    const nearest = nearestName(key, known);
    return `There is no "${key.slice(0, 200)}" here${nearest === null ? '' : `; did you mean "${nearest}"?`}`;
  });
  return told.join(' ');
};

/** What zod found wrong in a part of a request. */
export function fieldErrorsOf(error: z.ZodError, part: string | undefined): FieldError[] {
  return error.issues
    .slice(0, MOST_ERRORS)
    .map(({ path, message, code }) => ({ pointer: pointerOf(path, part), detail: message, code }));
}

/**
 * Checks the parts of a request by their zod schemas. Parameters that an operation does not know are refused; bodies say in
 * their schemas whether they are open.
 */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart }) => {
  const isQuery = httpPart === 'querystring' || httpPart === 'query';
  const checked = isQuery && schema instanceof z.ZodObject ? schema.strict() : schema;
  return (data: unknown) => {
    const result = checked.safeParse(data, { error: withNearest });
    if (result.success) return { value: result.data };
    return { error: invalidFields('The request', fieldErrorsOf(result.error, httpPart), result.error) };
  };
};
