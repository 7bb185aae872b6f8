// `npm run client:types`: what is generated of the clients from openapi/openapi.json. Python's by scripts/python-client; the types of
// clients/typescript by a generator in a version that is named here, which needs a registry. With --check: whether they are
// those of the contract as it is.
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installNodeTools, OPENAPI_TYPESCRIPT, programIn } from './generators.ts';
import { pythonModules } from './python-client/main.ts';

const TYPESCRIPT = 'clients/typescript/src/contract.ts';

/** What the types need not say: examples, headers of answers, and refusals, all of which are one `Problem` that is thrown. */
function withoutRefusals(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutRefusals);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).flatMap(([name, value]) => {
      if (name === 'example' || name === 'examples') return [];
      if (name !== 'responses') return [[name, withoutRefusals(value)]];
      const answers = Object.entries(value as Record<string, Record<string, unknown>>)
        .filter(([status]) => status.startsWith('2'))
        .map(([status, { headers: _, ...answer }]) => [status, withoutRefusals(answer)]);
      return [[name, Object.fromEntries(answers)]];
    }),
  );
}

async function generateTypeScript(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'forge-client-types-'));
  try {
    const contract = join(folder, 'openapi.json');
    await writeFile(
      contract,
      JSON.stringify(withoutRefusals(JSON.parse(await readFile('openapi/openapi.json', 'utf8')))),
    );
    await installNodeTools(folder, OPENAPI_TYPESCRIPT);
    const written = join(folder, 'contract.ts');
    const { status, stderr } = spawnSync(programIn(folder, 'openapi-typescript'), [contract, '-o', written], {
      cwd: folder,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`openapi-typescript ended with ${status}: ${stderr}`);
    return await readFile(written, 'utf8');
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Writes a generated file, or with --check tells of one that is another. */
async function put(file: string, generated: string): Promise<void> {
  if (!process.argv.includes('--check')) return writeFile(file, generated);
  if ((await readFile(file, 'utf8').catch(() => '')) === generated) return;
  process.stderr.write(`${file} is not what the contract says: npm run client:types\n`);
  process.exitCode = 1;
}

// first, since nothing has to be there for it
const contract = JSON.parse(await readFile('openapi/openapi.json', 'utf8'));
for (const [file, text] of Object.entries(pythonModules(contract))) await put(file, text);
await put(TYPESCRIPT, await generateTypeScript());
