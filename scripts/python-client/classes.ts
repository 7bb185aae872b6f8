import { docstring, pascal, type Schema } from './contract.ts';

// of Python's keywords those that members are called
const KEYWORDS = new Set([
  'class',
  'from',
  'global',
  'import',
  'in',
  'is',
  'not',
  'or',
  'and',
  'pass',
  'with',
]);

type TypeOf = (schema: Schema, name: string) => string;

/** Members that no class can have stand in a call. */
function calledClass(name: string, members: [string, Schema][], typeOf: TypeOf): string {
  const parts = members.map(
    ([member, schema]) => `        "${member}": '${typeOf(schema, `${name}${pascal(member)}`)}',`,
  );
  return `${name} = TypedDict(\n    "${name}",\n    {\n${parts.join('\n')}\n    },\n)`;
}

/** The classes of an object: where only some members have to be there, these are in a class that it builds on. */
export function classesOf(
  { properties = {}, required = [], description }: Schema,
  name: string,
  typeOf: TypeOf,
): string[] {
  const members = Object.entries(properties);
  if (members.some(([member]) => KEYWORDS.has(member))) return [calledClass(name, members, typeOf)];
  const bodyOf = (some: [string, Schema][]): string =>
    some
      .flatMap(([member, schema]) => [
        `    ${member}: ${typeOf(schema, `${name}${pascal(member)}`)}`,
        ...(schema.description === undefined ? [] : [docstring(schema.description, 4)]),
      ])
      .join('\n') || '    pass';
  const doc = description === undefined ? '' : `${docstring(description, 4)}\n\n`;
  const needed = members.filter(([member]) => required.includes(member));
  const optional = members.filter(([member]) => !required.includes(member));
  if (optional.length === 0) return [`class ${name}(TypedDict):\n${doc}${bodyOf(needed)}`];
  if (needed.length === 0) return [`class ${name}(TypedDict, total=False):\n${doc}${bodyOf(optional)}`];
  return [
    `class _${name}(TypedDict):\n${bodyOf(needed)}`,
    `class ${name}(_${name}, total=False):\n${doc}${bodyOf(optional)}`,
  ];
}
