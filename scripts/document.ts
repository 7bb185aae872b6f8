// One file through the pipeline, without a database or a model: what an upload of it would be converted and cut to.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { chunkingSchema } from '../src/contract/chunking.ts';
import { createConverter } from '../src/documents/conversion/pool.ts';
import type { PreparedDocument } from '../src/documents/conversion/prepare.ts';
import { detectFormat } from '../src/documents/formats/detect.ts';

const USAGE = `usage: npm run document -- FILE [option...]

  --fidelity   how faithful the conversion was, and what got lost
  --markdown   the text that is stored
  --sections   where each section stands, with its headings
  --leaves     what is embedded and searched
  --outline    the outline's nodes (without an option: this and the fidelity)

Ranges are UTF-16 code units into the stored text, sizes are tokens.`;

const range = ({ charStart, charEnd }: { charStart: number; charEnd: number }) => `${charStart}-${charEnd}`;

const pageOf = ({ page }: { page: number | null }) => (page === null ? '' : `  page ${page}`);

const VIEWS: Record<string, (prepared: PreparedDocument) => string[]> = {
  fidelity({ converted: { format, fidelity }, document: { parents, leaves } }) {
    const counts = Object.entries(fidelity.counts);
    return [
      `${format}, fidelity ${fidelity.score}, ${parents.length} parents, ${leaves.length} leaves`,
      ...counts.map(([kind, { source, result }]) => `  ${kind}: ${result} of ${source}`),
      ...fidelity.losses.map(({ kind, count, detail = '' }) => `  lost ${kind}: ${count}  ${detail}`),
    ];
  },
  markdown: ({ converted }) => [converted.markdown],
  sections: ({ document }) =>
    document.sections.map((section) => {
      const path = section.headerPath.join(' > ') || '(before the first heading)';
      return `${section.level}  ${range(section)}${pageOf(section)}  ${path}`;
    }),
  leaves: ({ document }) =>
    document.leaves.flatMap((leaf) => [
      `--- leaf ${leaf.leafIndex}  ${leaf.tokens} tokens  ${range(leaf)}${leaf.oversized ? '  oversized' : ''}`,
      leaf.breadcrumb,
      leaf.text,
    ]),
  outline({ outline: { nodes } }) {
    const depths = new Map<string | null, number>([[null, -1]]);
    return nodes.map((node) => {
      const depth = (depths.get(node.parentId) ?? -1) + 1;
      depths.set(node.id, depth);
      return `${'  '.repeat(depth)}${node.text}  (${range(node)}, ${node.tokenEstimate} tokens)`;
    });
  },
};

async function prepare(path: string): Promise<PreparedDocument> {
  const name = basename(path);
  const bytes = readFileSync(path);
  const converter = createConverter();
  try {
    const { format } = detectFormat(name, bytes);
    return await converter.convert({
      name,
      bytes,
      format,
      chunking: chunkingSchema.parse({ strategy: 'hierarchical' }),
    });
  } finally {
    await converter.close();
  }
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: Object.fromEntries(Object.keys(VIEWS).map((name) => [name, { type: 'boolean' as const }])),
  });
  const [path] = positionals;
  if (path === undefined || positionals.length > 1) throw new Error(USAGE);
  const asked = Object.keys(VIEWS).filter((name) => values[name]);
  const prepared = await prepare(path);
  for (const name of asked.length > 0 ? asked : ['fidelity', 'outline']) {
    process.stdout.write(`${VIEWS[name]?.(prepared).join('\n')}\n`);
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
