/** A JSON object of the document. */
export type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const SCHEMAS = '#/components/schemas/';

// Schemas are registered as their modules are loaded, in whatever order these import each other: by name, the document does
// not change with an import.
function inOrder(schemas: Json): Json {
  return Object.fromEntries(
    Object.keys(schemas)
      .sort()
      .map((name) => [name, schemas[name]]),
  );
}

/** Calls `visit` for a value and everything below it, from the outside in. */
function walk(value: unknown, visit: (node: Json) => void): void {
  if (Array.isArray(value)) for (const entry of value) walk(entry, visit);
  if (!isObject(value)) return;
  visit(value);
  for (const [key, child] of Object.entries(value)) {
    // what is given as a value is no schema
    if (key !== 'example' && key !== 'examples' && key !== 'default') walk(child, visit);
  }
}

/** The bounds that every integer of a JSON number has tell nobody anything. */
function dropSafeBounds(schema: Json): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

/** A parameter is text on its way; what it means is `true` or `false`. */
function nameBooleans(schema: Json): void {
  const { enum: values, default: preset } = schema;
  const isFlag = Array.isArray(values) && values.join() === 'true,false';
  if (schema.type !== 'string' || (!isFlag && typeof preset !== 'boolean')) return;
  schema.type = 'boolean';
  delete schema.enum;
  if (preset !== undefined) schema.default = preset === true || preset === 'true';
}

/** Which of its forms a value has is said by one member, which generators switch by. */
function nameDiscriminator(schema: Json, schemas: Json): void {
  const { oneOf } = schema;
  if (!Array.isArray(oneOf) || schema.discriminator !== undefined) return;
  const forms = oneOf.map((form: Json) => {
    const name = String(form.$ref ?? '').slice(SCHEMAS.length);
    return {
      ref: form.$ref,
      properties: (schemas[name] as Json | undefined)?.properties as Json | undefined,
    };
  });
  const member = Object.keys(forms[0]?.properties ?? {}).find((key) =>
    forms.every(({ properties }) => key !== 'object' && (properties?.[key] as Json | undefined)?.const),
  );
  if (member === undefined) return;
  schema.discriminator = {
    propertyName: member,
    mapping: Object.fromEntries(
      forms.map(({ ref, properties }) => [(properties?.[member] as Json | undefined)?.const, ref]),
    ),
  };
}

/** What the service sends may have more members one day; what it takes says by itself what it takes. */
function openAnswers(paths: Json, schemas: Json): void {
  const open = (node: Json) => {
    if (node.additionalProperties === false) delete node.additionalProperties;
  };
  for (const [name, schema] of Object.entries(schemas)) if (!name.endsWith('Input')) walk(schema, open);
  for (const path of Object.values(paths)) {
    for (const operation of Object.values(path as Json)) walk((operation as Json).responses, open);
  }
}

/**
 * Registered schemas appear once for what is sent and once, as `…Input`, for what is taken: drops those that nothing refers
 * to, and names the others plainly.
 */
function pruneSchemas(document: Json, schemas: Json): Json {
  const kept = inOrder(schemas);
  (document.components as Json).schemas = kept;
  for (;;) {
    const text = JSON.stringify(document);
    const unused = Object.keys(kept).filter((name) => !text.includes(`"${SCHEMAS}${name}"`));
    if (unused.length === 0) break;
    for (const name of unused) delete kept[name];
  }
  const plain = new Map<string, string>();
  for (const name of Object.keys(kept)) {
    const short = name.replace(/Input$/, '');
    if (short !== name && !(short in kept)) plain.set(SCHEMAS + name, SCHEMAS + short);
  }
  walk(document, (node) => {
    if (typeof node.$ref === 'string') node.$ref = plain.get(node.$ref) ?? node.$ref;
  });
  return inOrder(
    Object.fromEntries(
      Object.entries(kept).map(([name, schema]) => [
        (plain.get(SCHEMAS + name) ?? SCHEMAS + name).slice(SCHEMAS.length),
        schema,
      ]),
    ),
  );
}

/** A form has its file as a part; bytes alone are no form. */
function nameForms(node: Json): void {
  const form = node['multipart/form-data'] as { schema?: Json } | undefined;
  if (form?.schema?.format !== 'binary') return;
  form.schema = { type: 'object', properties: { file: form.schema }, required: ['file'] };
}

/** The document with its schemas as integrators and their generators are to meet them. */
export function tidySchemas(document: Json): Json {
  const components = document.components as { schemas?: Json };
  const schemas = components.schemas ?? {};
  const paths = document.paths as Json;
  openAnswers(paths, schemas);
  components.schemas = pruneSchemas(document, schemas);
  const named = components.schemas;
  walk(document, (node) => {
    nameForms(node);
    dropSafeBounds(node);
    nameBooleans(node);
    nameDiscriminator(node, named);
  });
  return document;
}
