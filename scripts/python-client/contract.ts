/** What is read of a JSON schema. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  description?: string;
}

type Content = Record<string, { schema: Schema }>;

export interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  parameters?: { in: string; name: string; required?: boolean; schema: Schema }[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, { content?: Content }>;
}

export interface Contract {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

/** `limits_applied`, `createTurn`: `LimitsApplied`, `CreateTurn`. */
export const pascal = (name: string): string =>
  name
    .split(/[^a-zA-Z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/** `createTurn`, `if-match`: `create_turn`, `if_match`. */
export const snake = (name: string): string =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();

/** The text as a docstring that stands `indent` spaces in. */
export function docstring(text: string, indent: number): string {
  const margin = ' '.repeat(indent);
  const safe = text.replaceAll('\\', '\\\\').replaceAll('"""', "'''");
  const end = safe.endsWith('"') ? ' """' : '"""';
  return `${margin}"""${safe.split('\n').join(`\n${margin}`).replaceAll(/ +$/gm, '')}${end}`;
}
