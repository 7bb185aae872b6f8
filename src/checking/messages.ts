import { z } from 'zod';
import { nearestName } from '../text/nearest-name.ts';

type Issue<Code extends z.core.$ZodIssue['code']> = z.core.$ZodRawIssue<
  Extract<z.core.$ZodIssue, { code: Code }>
>;

/** A hostile body can be wrong in hundreds of thousands of places; nobody reads more than these. */
export const MOST_ERRORS = 50;
/** More choices than these are not told one by one. */
const MOST_CHOICES = 20;
/** What a client sent is shown to this length. */
const MOST_SHOWN = 200;

/** Kinds of values as JSON has them, in words. */
const KINDS: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
  null: 'null',
};

/** Formats of text, in words and by an example. */
const FORMATS: Record<string, string> = {
  datetime: 'a date and a time with its time zone, as 2026-01-31T09:30:00Z',
  date: 'a date, as 2026-01-31',
  url: 'a URL, as https://example.com',
  uuid: 'a UUID',
  email: 'an email address',
  base64: 'base64',
};

const kindOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return KINDS[typeof value] ?? typeof value;
};

const shown = (value: unknown): string => JSON.stringify(value).slice(0, MOST_SHOWN);

const suggestion = (wrong: unknown, known: readonly string[]): string => {
  const nearest = typeof wrong === 'string' ? nearestName(wrong, known) : null;
  return nearest === null ? '' : `; did you mean "${nearest}"?`;
};

function wrongType({ expected, input, inst }: Issue<'invalid_type'>): string {
  if (input === undefined) return 'is required';
  const isWhole = inst instanceof z.ZodNumber && inst.isInt;
  const wanted = KINDS[isWhole ? 'int' : expected] ?? expected;
  // a number that is none or not whole: what kind of value it is says nothing then
  const isNumber = typeof input === 'number' && /number/.test(wanted);
  return isNumber ? `must be ${wanted}` : `must be ${wanted}, not ${kindOf(input)}`;
}

function wrongValue({ values, input, expected }: Issue<'invalid_value'>): string {
  if (input === undefined) return 'is required';
  if (expected === 'stringbool') return 'must be true or false';
  const [first] = values;
  if (values.length === 1) return `must be ${shown(first)}`;
  const told = values.slice(0, MOST_CHOICES).map(shown).join(', ');
  const more = values.length > MOST_CHOICES ? ' and others' : '';
  return `must be one of ${told}${more}${suggestion(input, values.map(String))}`;
}

const counted = (count: number | bigint, one: string, many: string): string =>
  `${count} ${Number(count) === 1 ? one : many}`;

/** How much there is of something, as a text or a list has it; null: it is a number itself. */
function sizeOf(origin: string, bound: number | bigint): string | null {
  if (origin === 'string') return counted(bound, 'character', 'characters');
  if (origin === 'array' || origin === 'set') return counted(bound, 'entry', 'entries');
  return null;
}

function tooSmall({ origin, minimum, inclusive = true }: Issue<'too_small'>): string {
  const size = sizeOf(origin, minimum);
  if (size === null) return inclusive ? `must be at least ${minimum}` : `must be more than ${minimum}`;
  return Number(minimum) === 1 ? 'must not be empty' : `must have at least ${size}`;
}

function tooBig({ origin, maximum, inclusive = true }: Issue<'too_big'>): string {
  const size = sizeOf(origin, maximum);
  if (size === null) return inclusive ? `must be at most ${maximum}` : `must be less than ${maximum}`;
  return `must have at most ${size}`;
}

/** One line for each unknown name, with the known one that was probably meant. */
function unknownNames({ keys, inst }: Issue<'unrecognized_keys'>): string {
  const known = inst instanceof z.ZodObject ? Object.keys(inst.shape) : [];
  return keys
    .slice(0, MOST_ERRORS)
    .map((key) => `There is no ${shown(key)} here${suggestion(key, known)}`)
    .join('\n');
}

function noBranch(issue: Issue<'invalid_union'>): string {
  const { discriminator, options, input, errors } = issue as Issue<'invalid_union'> & {
    options?: z.core.util.Primitive[];
    errors: z.core.$ZodIssue[][];
  };
  if (discriminator === undefined) {
    return [...new Set(errors.flatMap((branch) => branch.map(({ message }) => message)))].join(', or ');
  }
  const given = (input as Record<string, unknown> | undefined)?.[discriminator];
  return wrongValue({ code: 'invalid_value', values: options ?? [], input: given });
}

/** What is wrong with a value, in words for people: to be read behind the name of the field. */
export const inWords: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return wrongType(issue);
    case 'invalid_value':
      return wrongValue(issue);
    case 'too_small':
      return tooSmall(issue);
    case 'too_big':
      return tooBig(issue);
    case 'invalid_format':
      return `must be ${FORMATS[issue.format] ?? `text of the form ${issue.pattern ?? issue.format}`}`;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return unknownNames(issue);
    case 'invalid_union':
      return noBranch(issue);
    case 'invalid_key':
      return 'has a name that cannot be used';
    case 'invalid_element':
      return 'has an entry that cannot be used';
    default:
      return undefined;
  }
};
