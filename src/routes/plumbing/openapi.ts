import fastifySwagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { GUIDES } from '../documentation/guides.ts';
import { SECURITY_SCHEMES } from './access.ts';
import { describeAnswers, type SentHeader } from './openapi-answers.ts';
import { addExamples } from './openapi-examples.ts';
import { type Json, tidySchemas } from './openapi-schemas.ts';

const DESCRIPTION = `A document-grounded project copilot as a service. Create a project, upload its documents, and talk to it turn by
turn: each reply is made from the sections, earlier exchanges and structured state that the turn needs, within a token
budget, and a receipt shows what was sent, what was left out and what it cost.

Errors are RFC 9457 problem documents whose \`code\` comes from one closed table. Clients must ignore members that they
do not know. Times are RFC 3339 in UTC; lists are read page by page with \`after\` and \`before\`.

Guides: ${Object.entries(GUIDES)
  .map(([name, title]) => `[${title}](/docs/guides/${name})`)
  .join(', ')}.`;

const TAGS = [
  { name: 'projects', description: 'Projects: what everything else belongs to.' },
  { name: 'state', description: 'What the copilot has learned about a project, as structured data.' },
  { name: 'files', description: 'Documents: upload, watch, read, delete.' },
  { name: 'outlines', description: 'Long documents in narrow slices: outlines, sections, pointers.' },
  { name: 'events', description: 'Everything that changes, in order: read, followed, or sent to a webhook.' },
  { name: 'library', description: 'Documents that all projects of the workspace share.' },
  { name: 'search', description: 'Sections of documents and earlier turns, by meaning and by word.' },
  { name: 'turns', description: 'The conversation, and the receipt of each turn.' },
  {
    name: 'research',
    description: 'Questions that take several steps, and the tools that they are answered with.',
  },
  { name: 'archives', description: 'Projects as archives, out and in, and conversations from elsewhere.' },
  { name: 'mcp', description: 'The tools, documents and probes for agents: Model Context Protocol.' },
  { name: 'knowledge', description: "The copilot's own expertise: probes, patterns, core instructions." },
  { name: 'keys', description: 'API keys and the workspaces that they open.' },
  { name: 'service', description: 'Health, version, and the descriptions of problems.' },
];

/** The OpenAPI 3.1 document of everything that is registered after this. */
export async function registerOpenApi(app: FastifyInstance, version: string): Promise<void> {
  const sends = new Map<string, readonly SentHeader[]>();
  app.addHook('onRoute', ({ schema, config }) => {
    const { operationId } = (schema ?? {}) as { operationId?: string };
    if (operationId !== undefined && config?.sends) sends.set(operationId, config.sends);
  });
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Forge',
        version,
        description: DESCRIPTION,
        contact: { name: 'The maintainers of Forge' },
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/', description: 'This server' }],
      tags: TAGS,
      components: { securitySchemes: SECURITY_SCHEMES },
    },
    transform: jsonSchemaTransform,
    transformObject: (document) =>
      addExamples(describeAnswers(tidySchemas(jsonSchemaTransformObject(document) as Json), sends)) as never,
  });
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger());
}
