import { type Contract, docstring, type Operation, pascal, type Schema, snake } from './contract.ts';
import type { Types } from './types.ts';

/** A method of the client, which is written twice: as a function, and as a coroutine. */
interface Method {
  name: string;
  doc: string;
  parameters: string[];
  /** What the service is asked: the arguments of `call`, `send` or `iterate`. */
  request: string[];
  kind: 'json' | 'text' | 'bytes' | 'items';
  answer: string;
}

const BINARY = ['application/octet-stream', 'application/zip', 'application/jsonl'];

/** The types of the standard library stay as they are, those of the contract are named with their module. */
const qualified = (type: string): string =>
  type.replaceAll(/"[^"]*"|\b[A-Z]\w*/g, (word) =>
    /^"|^(Any|Literal|None|True|False)$/.test(word) ? word : `t.${word}`,
  );

const answersOf = ({ responses }: Operation) =>
  Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, { content = {} }]) => Object.entries(content));

/** What an operation answers; null: events or nothing, which is followed in another way. */
function answerOf(operation: Operation, types: Types): { kind: Method['kind']; answer: string } | null {
  const answers = answersOf(operation);
  const isPaged = operation.parameters?.some(({ name }) => name === 'after');
  const jsons = answers.filter(([media]) => media === 'application/json').map(([, { schema }]) => schema);
  const name = pascal(operation.operationId);
  const [first] = jsons;
  if (first && isPaged) {
    const list = first.$ref === undefined ? first : null;
    // the feed is the one list that has a name
    const item = list?.properties?.data?.items ?? { $ref: 'ProjectEvent' };
    return { kind: 'items', answer: types.typeOf(item, `${name}Item`) };
  }
  if (first) {
    const shapes = jsons.map((schema: Schema) => types.typeOf(schema, `${name}Answer`));
    return { kind: 'json', answer: [...new Set(shapes.flatMap((shape) => shape.split(' | ')))].join(' | ') };
  }
  const media = answers.map(([type]) => type).find((type) => type !== 'text/event-stream');
  if (media === undefined) return null;
  return /^text\/|jsonl/.test(media) ? { kind: 'text', answer: 'str' } : { kind: 'bytes', answer: 'bytes' };
}

/** A status that is an answer although it is no success: the service says by it how it is. */
const expectedOf = ({ responses }: Operation): string[] =>
  Object.entries(responses)
    .filter(([status, { content = {} }]) => !status.startsWith('2') && content['application/json'])
    .map(([status]) => `expects=${status}`);

/** The body as a parameter and as an argument; null: a form, which is another thing. */
function bodyOf({ operationId, requestBody }: Operation, types: Types): [string[], string[]] | null {
  if (!requestBody) return [[], []];
  const { content, required = false } = requestBody;
  const json = content['application/json'];
  if (json) {
    const type = qualified(types.typeOf(json.schema, `${pascal(operationId)}Body`));
    return [[required ? `body: ${type}` : `body: ${type} | None = None`], ['body=body']];
  }
  const binary = BINARY.find((media) => content[media]);
  if (binary === undefined) return null;
  return [['content: Content'], ['content=content', `media_type="${binary}"`]];
}

function methodOf(verb: string, path: string, operation: Operation, types: Types): Method[] {
  const answer = answerOf(operation, types);
  const body = bodyOf(operation, types);
  if (!answer || !body || path === '/mcp') return [];
  const { operationId, summary, description, parameters = [] } = operation;
  const typeOf = (schema: Schema, name: string) =>
    qualified(types.typeOf(schema, `${pascal(operationId)}${pascal(name)}`));
  // in the order of the path
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const places = inPath.map((name) => {
    const schema = parameters.find((one) => one.in === 'path' && one.name === name)?.schema ?? {};
    return `${name}: ${typeOf(schema, name)}`;
  });
  // pages are read forwards
  const query = parameters.filter(
    (one) => one.in === 'query' && !(answer.kind === 'items' && one.name === 'before'),
  );
  const [bodyParameters, bodyArguments] = body;
  const members = (names: string[], written = (name: string) => name) =>
    `{${names.map((name) => `"${name}": ${written(name)}`).join(', ')}}`;
  return [
    {
      ...answer,
      name: snake(operationId),
      doc: [
        /[.?]$/.test(summary) ? summary : `${summary}.`,
        ...(description === undefined ? [] : ['', description]),
      ].join('\n'),
      answer: qualified(answer.answer),
      parameters: [
        ...places,
        ...bodyParameters,
        '*',
        ...query.map(({ name, schema }) => `${snake(name)}: ${typeOf(schema, name)} | None = None`),
        'headers: Headers | None = None',
      ],
      request: [
        ...(answer.kind === 'items' ? [] : [`"${verb.toUpperCase()}"`]),
        `"${path}"`,
        ...(inPath.length > 0 ? [`path=${members(inPath)}`] : []),
        ...(query.length > 0
          ? [
              `query=${members(
                query.map(({ name }) => name),
                snake,
              )}`,
            ]
          : []),
        ...bodyArguments,
        ...expectedOf(operation),
        'headers=headers',
      ],
    },
  ];
}

function written({ name, doc, parameters, request, kind, answer }: Method, isAsync: boolean): string {
  const asked = `(\n            ${request.join(',\n            ')},\n        )`;
  const [word, wait] = isAsync ? ['async def', 'await '] : ['def', ''];
  const signature = (start: string, result: string): string =>
    `    ${start} ${name}(\n        self,\n        ${parameters.join(',\n        ')},\n    ) -> ${result}:\n${docstring(doc, 8)}`;
  const generator = isAsync ? `AsyncGenerator[${answer}, None]` : `Generator[${answer}, None, None]`;
  switch (kind) {
    case 'json':
      return `${signature(word, answer)}\n        answer: ${answer} = ${wait}self.call${asked}\n        return answer`;
    case 'items':
      return `${signature('def', generator)}\n        return self.iterate${asked}`;
    default: {
      const member = kind === 'text' ? 'text' : 'content';
      return `${signature(word, answer)}\n        response = ${wait}self.send${asked}\n        return response.${member}`;
    }
  }
}

/** The module with a method for each operation, for both clients. */
export function operationsModule(contract: Contract, types: Types, head: string): string {
  const methods = Object.entries(contract.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).flatMap(([verb, operation]) => methodOf(verb, path, operation, types)),
  );
  const classOf = (isAsync: boolean): string => {
    const prefix = isAsync ? 'Async' : '';
    const doc = docstring('The operations of the contract, by their names.', 4);
    return [
      `\nclass ${prefix}Operations(${prefix}Calls):\n${doc}`,
      ...methods.map((one) => written(one, isAsync)),
    ].join('\n\n');
  };
  return [
    head,
    'from __future__ import annotations\n\nfrom collections.abc import AsyncGenerator, Generator\nfrom typing import Any, Literal',
    'from . import types as t\nfrom ._calls import AsyncCalls, Calls, Content, Headers',
    classOf(false),
    classOf(true),
  ].join('\n\n');
}
