import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { ERROR_CODES } from '../../src/errors.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document of any shape is walked
type Node = any;

const document: Node = JSON.parse(
  await readFile(new URL('../../openapi/openapi.json', import.meta.url), 'utf8'),
);
const schemas: Record<string, Node> = document.components.schemas;

interface Operation {
  name: string;
  node: Node;
}
const operations: Operation[] = Object.entries<Node>(document.paths).flatMap(([path, methods]) =>
  Object.entries<Node>(methods).map(([method, node]) => ({ name: `${method} ${path}`, node })),
);
const answers = operations.flatMap(({ name, node }) =>
  Object.entries<Node>(node.responses).map(([status, answer]) => ({
    name: `${name} ${status}`,
    status,
    answer,
  })),
);

/** Every object of the document with its place, but for examples, which are values. */
function* nodes(value: Node, place = ''): Generator<{ place: string; node: Node }> {
  if (typeof value !== 'object' || value === null) return;
  yield { place, node: value };
  for (const [key, child] of Object.entries(value)) {
    if (!['example', 'examples', 'default'].includes(key) || place.endsWith('/properties')) {
      yield* nodes(child, `${place}/${key}`);
    }
  }
}
const everything = [...nodes(document)];
const isNamesOnly = (place: string) => /\/(properties|headers|schemas|responses|mapping)$/.test(place);

const headersOf = (name: string): string[] =>
  operations
    .find(({ node }) => node.operationId === name)
    ?.node.parameters?.flatMap((parameter: Node) => (parameter.in === 'header' ? [parameter.name] : [])) ??
  [];
const sentBy = (name: string, status: string): string[] =>
  Object.keys(
    operations.find(({ node }) => node.operationId === name)?.node.responses[status]?.headers ?? {},
  );

describe('the contract as generators and readers meet it', () => {
  it('describes every property, parameter, answer, schema and operation in words of its own', () => {
    const properties = everything
      .filter(({ place, node }) => place.endsWith('/properties') && !Array.isArray(node))
      .flatMap(({ place, node }) =>
        Object.entries<Node>(node).map(([key, schema]) => ({ place: `${place}/${key}`, schema })),
      )
      .filter(({ schema }) => !schema.description && !schema.$ref)
      .map(({ place }) => place);
    const named = Object.entries(schemas).filter(([, schema]) => !schema.description);
    const parameters = operations.flatMap(({ name, node }) =>
      (node.parameters ?? [])
        .filter((one: Node) => !one.description)
        .map((one: Node) => `${name} ${one.name}`),
    );
    const plain = answers.filter(
      ({ answer }) =>
        !answer.description ||
        answer.description === 'Default Response' ||
        answer.description === 'The answer.',
    );
    expect({
      properties,
      schemas: named.map(([name]) => name),
      parameters,
      answers: plain.map(({ name }) => name),
      operations: operations.filter(({ node }) => !node.summary || !node.description).map(({ name }) => name),
    }).toEqual({ properties: [], schemas: [], parameters: [], answers: [], operations: [] });
  });

  it('has no bounds that only say what a JSON number can hold', () => {
    const bounded = everything.filter(({ node }) =>
      [node.minimum, node.maximum].some((bound) => Math.abs(bound) === Number.MAX_SAFE_INTEGER),
    );
    expect(bounded.map(({ place }) => place)).toEqual([]);
  });

  it('leaves answers open', () => {
    const used = JSON.stringify(operations.map(({ node }) => node.requestBody));
    const closed = [
      ...nodes(document.components.schemas, '/schemas'),
      ...answers.flatMap(({ name, answer }) => [...nodes(answer, name)]),
    ]
      .filter(({ place, node }) => node.additionalProperties === false && !isNamesOnly(place))
      .filter(({ place }) => !used.includes(`"#/components/schemas/${place.split('/')[2]}"`));
    expect(closed.map(({ place }) => place)).toEqual([]);
  });

  it('says numbers and booleans as such where parameters are', () => {
    const wrong = operations.flatMap(({ name, node }) =>
      (node.parameters ?? [])
        .filter(
          ({ schema }: Node) =>
            JSON.stringify(schema.enum) === '["true","false"]' ||
            (schema.type === 'string' && typeof schema.default === 'boolean'),
        )
        .map((one: Node) => `${name} ${one.name}`),
    );
    const numbers = operations.flatMap(({ node }) =>
      (node.parameters ?? []).filter((one: Node) => one.name === 'n'),
    );
    expect(wrong).toEqual([]);
    expect(new Set(numbers.map(({ schema }) => schema.type))).toEqual(new Set(['integer']));
  });

  it('takes several files as an array', () => {
    const { schema } =
      document.paths['/projects/{project_id}/files'].post.requestBody.content['multipart/form-data'];
    expect(schemas[schema.$ref.split('/').pop()].properties.file).toMatchObject({
      type: 'array',
      items: { format: 'binary' },
    });
  });

  it('shows of every problem what the service really says', async () => {
    const examples = new URL('../../openapi/examples.json', import.meta.url);
    const { problems } = JSON.parse(await readFile(examples, 'utf8'));
    const shown: [string, Node][] = Object.entries(document.components.examples);
    expect(shown.filter(([code]) => !(code in problems)).map(([code]) => code)).toEqual([]);
  });

  it('shadows no name of the platform', async () => {
    const lib = createRequire(import.meta.url).resolve('typescript/lib/lib.dom.d.ts');
    const dom = [...(await readFile(lib, 'utf8')).matchAll(/^(?:interface|declare var|type) (\w+)/gm)].map(
      ([, name]) => name,
    );
    const taken = new Set([...dom, ...Object.getOwnPropertyNames(globalThis), 'Buffer', 'Record', 'Partial']);
    expect(Object.keys(schemas).filter((name) => taken.has(name))).toEqual([]);
  });

  it('names every event and tells them apart by one member', () => {
    for (const name of ['TurnEvent', 'ResearchEvent', 'FileEvent']) {
      const { oneOf, discriminator } = schemas[name];
      expect(oneOf.length).toBeGreaterThan(3);
      expect(discriminator.propertyName).toBe('event');
      for (const { $ref } of oneOf) {
        const form = schemas[$ref.split('/').pop()];
        expect(discriminator.mapping[form.properties.event.const]).toBe($ref);
        expect(form.required).toEqual(['id', 'event', 'data']);
      }
    }
    const patch =
      document.paths['/projects/{project_id}/state'].patch.requestBody.content[
        'application/merge-patch+json'
      ];
    expect(patch.schema.$ref).toBe('#/components/schemas/ProjectStatePatch');
  });

  it('declares the headers that operations read', () => {
    expect(headersOf('uploadFiles')).toEqual(['idempotency-key', 'prefer']);
    expect(headersOf('putFileContent')).toEqual(['if-match', 'if-none-match', 'prefer']);
    expect(headersOf('getFileContent')).toEqual(['if-none-match', 'range', 'if-range']);
    expect(headersOf('changeState')).toEqual(['if-match']);
    expect(headersOf('getState')).toEqual(['if-none-match']);
    expect(headersOf('followTurn')).toEqual(['last-event-id']);
    expect(headersOf('createTurn')).toEqual(['idempotency-key', 'last-event-id']);
    const unread = operations.filter(
      ({ node }) => node.responses['304'] && !headersOf(node.operationId).includes('if-none-match'),
    );
    expect(unread.map(({ name }) => name)).toEqual([]);
  });

  it('declares the headers that answers have', () => {
    expect(sentBy('uploadFiles', '201')).toEqual(
      expect.arrayContaining([
        'Location',
        'Upload-Result',
        'Preference-Applied',
        'Idempotency-Replayed',
        'RateLimit',
      ]),
    );
    expect(sentBy('getFileContent', '206')).toEqual(
      expect.arrayContaining(['ETag', 'Content-Range', 'Accept-Ranges', 'X-File-Version']),
    );
    expect(sentBy('createTurn', '201')).toEqual(expect.arrayContaining(['Location', 'Idempotency-Replayed']));
    expect(sentBy('createTurn', '429')).toEqual(expect.arrayContaining(['Retry-After', 'RateLimit']));
    const untagged = answers.filter(({ status, answer }) => status === '304' && !answer.headers?.ETag);
    expect(untagged.map(({ name }) => name)).toEqual([]);
  });

  it('asks for a key by a scheme, or says that it asks for none', () => {
    expect(document.components.securitySchemes.apiKey).toMatchObject({ type: 'http', scheme: 'bearer' });
    expect(operations.filter(({ node }) => !Array.isArray(node.security)).map(({ name }) => name)).toEqual(
      [],
    );
    // an address is relative to that of the document: right wherever the service stands
    expect(document.servers).toEqual([{ url: '/', description: 'This server' }]);
  });

  it('names the codes of every refusal', () => {
    const silent = answers.filter(({ status, answer }) => {
      if (Number(status) < 400 || !answer.content?.['application/problem+json']) return false;
      const codes = [...answer.description.matchAll(/`(\w+)`: /g)].map(([, code]) => code);
      return (
        codes.length === 0 ||
        new Set(codes).size < codes.length ||
        codes.some((code) => !(code in ERROR_CODES))
      );
    });
    expect(silent.map(({ name }) => name)).toEqual([]);
  });

  it('has an example of every request and every answer that are text', () => {
    const shown = ({ example, examples }: Node) => example !== undefined || examples !== undefined;
    const isText = (type: string) => /json|^text\//.test(type);
    const missing = operations.flatMap(({ name, node }) => [
      ...Object.entries<Node>(node.requestBody?.content ?? {})
        .filter(([type, media]) => isText(type) && !shown(media))
        .map(([type]) => `${name} ${type}`),
      ...Object.entries<Node>(node.responses).flatMap(([status, { content = {} }]) =>
        Object.entries<Node>(content)
          .filter(([type, media]) => isText(type) && !shown(media))
          .map(([type]) => `${name} ${status} ${type}`),
      ),
    ]);
    // agents' SDKs, not people, read what an agent is told; too many sessions take a while to begin; who ends one accepts anything
    const unplayed = /^(get \/mcp 200|(get|post|delete) \/mcp (429|503)|delete \/mcp 406)/;
    expect(missing.filter((name) => !unplayed.test(name))).toEqual([]);
  });

  it('shows each problem that an operation can answer with, as the service words it', () => {
    for (const { answer } of answers) {
      const { examples = {} } = answer.content?.['application/problem+json'] ?? {};
      for (const [code, { $ref }] of Object.entries<Node>(examples)) {
        const { value } = document.components.examples[$ref.split('/').pop()];
        expect(answer.description).toContain(`\`${code}\`: ${value.title}`);
        expect(value).toMatchObject({ code, detail: expect.stringMatching(/\w/) });
      }
    }
  });
});
