import { classesOf } from './classes.ts';
import { docstring, type Schema } from './contract.ts';

/** Longer lists of values get a name of their own. */
const MOST_VALUES_IN_PLACE = 8;
const BASIC: Record<string, string> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
};

const literal = (value: unknown): string =>
  typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value);

/**
 * Python's types of JSON schemas: objects are `TypedDict`s, which are dictionaries at run time, values to choose from are `Literal`s.
 * An object within another one, or in an operation, is named after the place where it stands.
 */
export function createTypes(components: Record<string, Schema>) {
  const classes: string[] = [];
  const aliases: string[] = [];
  const valueLists = new Map<string, string>();
  const taken = new Set(Object.keys(components));

  function nameFor(wanted: string): string {
    const name = taken.has(wanted) ? nameFor(`${wanted}Value`) : wanted;
    taken.add(name);
    return name;
  }

  function valuesOf(values: unknown[], name: string): string {
    const type = `Literal[${values.map(literal).join(', ')}]`;
    if (values.length <= MOST_VALUES_IN_PLACE) return type;
    const known = valueLists.get(type) ?? nameFor(name);
    if (!valueLists.has(type)) aliases.push(`${known}: TypeAlias = ${type}`);
    valueLists.set(type, known);
    return known;
  }

  function unionOf(schemas: readonly Schema[], name: string): string {
    const objects = schemas.filter(({ properties }) => properties).length;
    const types = schemas.map((one, at) =>
      typeOf(one, one.properties && objects > 1 ? `${name}${at + 1}` : name),
    );
    return [...new Set(types)].join(' | ');
  }

  /** The type of a schema in Python; `name` is what an object in it is called. */
  function typeOf(schema: Schema, name: string): string {
    if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? '';
    const values = schema.const === undefined ? schema.enum : [schema.const];
    if (values) return valuesOf(values, name);
    const alternatives = schema.anyOf ?? schema.oneOf;
    if (alternatives) return unionOf(alternatives, name);
    const { type } = schema;
    if (Array.isArray(type)) return type.map((one) => typeOf({ ...schema, type: one }, name)).join(' | ');
    if (type === 'array') return `list[${typeOf(schema.items ?? {}, `${name}Item`)}]`;
    if (type !== 'object') return BASIC[type ?? ''] ?? 'Any';
    if (!schema.properties) {
      const member = schema.additionalProperties;
      return `dict[str, ${typeof member === 'object' ? typeOf(member, `${name}Value`) : 'Any'}]`;
    }
    const own = nameFor(name);
    classes.push(...classesOf(schema, own, typeOf));
    return own;
  }

  for (const [name, schema] of Object.entries(components)) {
    if (schema.properties) classes.push(...classesOf(schema, name, typeOf));
    else {
      const doc = schema.description === undefined ? '' : `\n${docstring(schema.description, 0)}`;
      aliases.push(`${name}: TypeAlias = ${typeOf(schema, name)}${doc}`);
    }
  }

  return {
    typeOf,
    /** The module that defines all that was asked for: aliases are looked up when it is loaded, after the classes. */
    module: (head: string): string =>
      [
        head,
        'from __future__ import annotations\n\nfrom typing import Any, Literal, TypeAlias, TypedDict',
        ...[...classes, ...aliases].map((text) => `\n${text}`),
      ].join('\n\n'),
  };
}

export type Types = ReturnType<typeof createTypes>;
