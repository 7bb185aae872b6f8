import type { FastifySchemaCompiler } from 'fastify';
import { z } from 'zod';
import { type FieldError, invalidFields } from '../../errors.ts';
import { nearestName } from '../../text/nearest-name.ts';

const WHOLE = /^\d{1,16}$/;
const FRACTION = /^\d{1,16}(\.\d{1,16})?$/;

function unwrapped(schema: unknown): unknown {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault
    ? unwrapped(schema.unwrap())
    : schema;
}

/**
 * Parameters with their numbers as they are to be written: in decimal digits. What JavaScript takes for a number besides
 * (`0x10`, ` 5`, `1e3`, nothing at all) is made one that no schema takes.
 */
export function withPlainNumbers(schema: z.ZodObject, data: unknown): unknown {
  if (typeof data !== 'object' || data === null) return data;
  const entries = Object.entries(data).map(([name, value]): [string, unknown] => {
    const wanted = unwrapped(schema.shape[name]);
    if (!(wanted instanceof z.ZodNumber) || typeof value !== 'string') return [name, value];
    return [name, (wanted.isInt ? WHOLE : FRACTION).test(value) ? value : Number.NaN];
  });
  return Object.fromEntries(entries);
}

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
  const query = isQuery && schema instanceof z.ZodObject ? schema.strict() : null;
  return (data: unknown) => {
    const result = query
      ? query.safeParse(withPlainNumbers(query, data), { error: withNearest })
      : schema.safeParse(data, { error: withNearest });
    if (result.success) return { value: result.data };
    return { error: invalidFields('The request', fieldErrorsOf(result.error, httpPart), result.error) };
  };
};
