import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../src/package-root.ts';
import { runClusterBench } from './cluster.ts';
import { runEncoderBench } from './encoder.ts';
import { runFairnessBench } from './fairness.ts';
import { runIngestBench } from './ingest.ts';
import { runListenersBench } from './listeners.ts';
import { runProjectsBench } from './many-projects.ts';
import { runMemoryBench } from './memory.ts';
import { runOutlineBench } from './outline.ts';
import { runScaleBench } from './scale.ts';
import { runSearchBench } from './search.ts';
import { runSectionsBench } from './sections.ts';
import { runTokensBench } from './tokens.ts';
import { runTurnBench } from './turn.ts';

// npm run bench [-- NAME... --large --keep]: runs the measurements named, or all; figures go to bench/results/ too.

const BENCHES: Record<string, (options: { large: boolean; keep: boolean }) => Promise<unknown>> = {
  cluster: runClusterBench,
  encoder: runEncoderBench,
  fairness: runFairnessBench,
  ingest: runIngestBench,
  outline: runOutlineBench,
  projects: runProjectsBench,
  listeners: runListenersBench,
  memory: runMemoryBench,
  scale: runScaleBench,
  search: runSearchBench,
  sections: runSectionsBench,
  tokens: runTokensBench,
  turn: runTurnBench,
};

const machine = {
  node: process.version,
  cpus: cpus().length,
  cpu: cpus()[0]?.model ?? 'unknown',
  memoryGb: Math.round(totalmem() / 2 ** 30),
};

async function main(args: string[]): Promise<number> {
  const asked = args.filter((arg) => !arg.startsWith('--'));
  const unknown = asked.filter((name) => !Object.hasOwn(BENCHES, name));
  if (unknown.length > 0) {
    console.error(
      `There is no measurement ${unknown.join(', ')}. There are: ${Object.keys(BENCHES).join(', ')}`,
    );
    return 2;
  }
  console.log(`Node.js ${machine.node}, ${machine.cpus} x ${machine.cpu}, ${machine.memoryGb} GiB`);
  for (const [name, run] of Object.entries(BENCHES)) {
    if (asked.length > 0 && !asked.includes(name)) continue;
    console.log(`\n${name}`);
    const result = await run({ large: args.includes('--large'), keep: args.includes('--keep') });
    const folder = join(packageRoot, 'bench', 'results');
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, `${name}.json`),
      `${JSON.stringify({ at: new Date().toISOString(), machine, result }, null, 2)}\n`,
    );
  }
  return 0;
}

process.exitCode = await main(process.argv.slice(2));
