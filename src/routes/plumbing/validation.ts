import type { FastifySchemaCompiler } from 'fastify';
import { z } from 'zod';
import { check, jsonPointer, parameterName } from '../../checking/check.ts';
import { invalidFields } from '../../errors.ts';

const WHOLE = /^\d{1,16}$/;
const FRACTION = /^\d{1,16}(\.\d{1,16})?$/;

function unwrapped(schema: unknown): unknown {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault
    ? unwrapped(schema.unwrap())
    : schema;
}

/** What a parameter may be: the branches of a union, or the one thing that it is. */
function choicesOf(schema: unknown): unknown[] {
  const wanted = unwrapped(schema);
  return wanted instanceof z.ZodUnion ? wanted.options.map(unwrapped) : [wanted];
}

/**
 * Parameters with their numbers as they are to be written: in decimal digits. What JavaScript takes for a number besides
 * (`0x10`, ` 5`, `1e3`, nothing at all) is made one that no schema takes.
 */
export function withPlainNumbers(schema: z.ZodObject, data: unknown): unknown {
  if (typeof data !== 'object' || data === null) return data;
  const entries = Object.entries(data).map(([name, value]): [string, unknown] => {
    const choices = choicesOf(schema.shape[name]);
    const wanted = choices.find((choice) => choice instanceof z.ZodNumber);
    if (!wanted || typeof value !== 'string') return [name, value];
    const isOther = choices.some((choice) => choice instanceof z.ZodLiteral && choice.values.has(value));
    return [name, isOther || (wanted.isInt ? WHOLE : FRACTION).test(value) ? value : Number.NaN];
  });
  return Object.fromEntries(entries);
}

/** A schema that is kept elsewhere too, taking no members that it does not know. */
export const strictly = <Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>) =>
  schema.strict().describe(schema.description ?? '');

/** Where something is wrong in a body; the whole of it is `/`. */
const bodyPointer = (path: readonly PropertyKey[]): string => jsonPointer(path) || '/';

/**
 * Checks the parts of a request by their zod schemas. Parameters that an operation does not know are refused; bodies say in
 * their schemas whether they are open.
 */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart }) => {
  const isQuery = httpPart === 'querystring' || httpPart === 'query';
  const query = isQuery && schema instanceof z.ZodObject ? schema.strict() : null;
  const pointer = httpPart === 'body' || httpPart === undefined ? bodyPointer : parameterName;
  return (data: unknown) => {
    const checked = query
      ? check(query, withPlainNumbers(query, data), pointer)
      : check(schema, data, pointer);
    if (checked.ok) return { value: checked.value };
    return { error: invalidFields('The request', checked.errors, checked.cause) };
  };
};

/**
 * The fields of a form that stand beside its file.
 *
 * @throws AppError `invalid_request` for a field that is not known or cannot be read
 */
export function formFields<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  fields: Readonly<Record<string, string>>,
): z.infer<z.ZodObject<Shape>> {
  const strict = schema.strict();
  const checked = check(strict, withPlainNumbers(strict, fields), parameterName);
  if (checked.ok) return checked.value as z.infer<z.ZodObject<Shape>>;
  throw invalidFields('The form', checked.errors, checked.cause);
}
