/** The arrows: routes -> services -> the rooms below -> ports and db; nothing points back. */
const ROOMS = 'documents|retrieval|copilot|state';
const BELOW = 'llm|embeddings|knowledge|db';

/** A package that one file (or folder) alone may import. */
const onlyFrom = (name, packages, from) => ({
  name,
  severity: 'error',
  from: { path: '^src/', pathNot: from },
  to: { path: `node_modules/(${packages})/` },
});

export default {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: { path: '^src/' }, to: { circular: true } },
    { name: 'no-unresolved', severity: 'error', from: { path: '^src/' }, to: { couldNotResolve: true } },
    {
      name: 'no-dev-dependency',
      severity: 'error',
      from: { path: '^src/' },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        pathNot: 'node_modules/(@types|tsx)/',
      },
    },
    {
      name: 'nothing-imports-routes',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(routes/|app\\.ts)' },
      to: { path: '^src/routes/' },
    },
    {
      name: 'nothing-below-imports-services',
      severity: 'error',
      from: { path: `^src/(${ROOMS}|${BELOW}|jobs)/` },
      to: { path: '^src/services/' },
    },
    {
      name: 'ports-import-no-rooms',
      severity: 'error',
      from: { path: `^src/(llm|embeddings|knowledge)/` },
      to: { path: `^src/(copilot|retrieval|research|jobs)/` },
    },
    {
      name: 'db-imports-no-rooms',
      severity: 'error',
      // state and documents lend the db their types and validation
      from: { path: '^src/db/' },
      to: { path: '^src/(copilot|research|jobs|llm|embeddings)/' },
    },
    {
      name: 'documents-know-no-copilot',
      severity: 'error',
      from: { path: '^src/(documents|retrieval|state)/' },
      to: { path: '^src/copilot/' },
    },
    {
      name: 'formats-know-no-chunks',
      severity: 'error',
      // conversion -> formats, chunking, outline -> structure
      from: { path: '^src/documents/(structure|formats)/' },
      to: { path: '^src/documents/(conversion|chunking|outline)/' },
    },
    {
      name: 'chunks-know-no-format',
      severity: 'error',
      from: { path: '^src/documents/(structure|chunking|outline)/' },
      to: { path: '^src/documents/(conversion|formats)/' },
    },
    {
      name: 'composition-is-on-top',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(main|cli|container)\\.ts' },
      to: { path: '^src/(main|cli|container)\\.ts' },
    },
    {
      name: 'environment-is-read-once',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(main|cli|container)\\.ts' },
      to: { path: '^src/config\\.ts', dependencyTypesNot: ['type-only'] },
    },
    onlyFrom('pg-only-in-db', 'pg|@electric-sql', '^src/db/'),
    onlyFrom(
      'fastify-only-in-routes',
      'fastify|@fastify|fastify-type-provider-zod',
      '^src/(app\\.ts|routes/)',
    ),
    onlyFrom('anthropic-in-its-adapter', '@anthropic-ai', '^src/llm/anthropic'),
    onlyFrom('voyage-in-its-adapter', 'voyageai', '^src/embeddings/voyage'),
    onlyFrom('local-encoder-in-its-adapter', '@energetic-ai|onnxruntime-node', '^src/embeddings/local'),
    onlyFrom('word-readers-in-their-format', 'mammoth|yauzl', '^src/documents/formats/docx/'),
    onlyFrom('html-writer-in-formats', 'turndown', '^src/documents/formats/'),
    onlyFrom('pdf-reader-in-its-format', 'unpdf', '^src/documents/formats/pdf/'),
    onlyFrom('markdown-it-in-its-format', 'markdown-it', '^src/documents/formats/markdown/'),
    onlyFrom('jsonc-parser-in-its-format', 'jsonc-parser', '^src/documents/formats/json/'),
    onlyFrom('js-yaml-in-its-format', 'js-yaml', '^src/documents/formats/yaml/'),
    onlyFrom('yaml-where-it-is-read', 'yaml', '^src/(documents/formats/yaml|knowledge)/'),
  ],
};
