import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../src/package-root.ts';
import { formatConvertEval, missedFloors, runConvertEval } from './convert.ts';
import { formatOutlineEval, runOutlineEval } from './outline.ts';
import { RETRIEVAL_SETS, runRetrievalEval } from './retrieval.ts';
import { evalDir } from './retrieval-data.ts';
import { runRoutingEval } from './routing.ts';
import { formatTokenEval, runTokenEval } from './tokens.ts';

// npm run eval [-- SET...]: measures the sets named, or all. Ends with 1 when a floor was missed.

const ROUTING_GOAL = { precision: 0.95, recall: 0.98 };
const NAMES = [...RETRIEVAL_SETS, 'routing', 'convert', 'outline', 'tokens'];

function writeResult(name: string, result: unknown): void {
  const folder = join(packageRoot, 'eval', 'results');
  mkdirSync(folder, { recursive: true });
  const machine = { node: process.version, cpus: cpus().length, cpu: cpus()[0]?.model ?? '' };
  writeFileSync(
    join(folder, `${name}.json`),
    `${JSON.stringify({ at: new Date().toISOString(), machine, result }, null, 2)}\n`,
  );
}

/** Each returns what is below its floor. */
async function evaluateRetrieval(names: string[]): Promise<string[]> {
  const rows = await runRetrievalEval(names);
  writeResult('retrieval', rows);
  return rows
    .filter((row) => row.floor !== null && row.hybrid < row.floor)
    .map((row) => `${row.set} ${row.name}`);
}

function evaluateRouting(): string[] {
  const { precision, recall } = runRoutingEval();
  writeResult('routing', { precision, recall });
  const reached = precision >= ROUTING_GOAL.precision && recall >= ROUTING_GOAL.recall;
  console.log(
    `goal: precision ${ROUTING_GOAL.precision}, recall ${ROUTING_GOAL.recall}${reached ? '' : ': below the goal'}`,
  );
  return [];
}

async function evaluateConversion(): Promise<string[]> {
  const result = await runConvertEval(evalDir());
  if (!result) {
    console.log(`convert: skipped, docx is not in ${evalDir()}`);
    return [];
  }
  writeResult('convert', result);
  console.log(formatConvertEval(result));
  return missedFloors(result).map((line) => `convert ${line}`);
}

function evaluateOutlines(): string[] {
  const rows = runOutlineEval();
  if (!rows) {
    console.log(`outline: skipped, outline is not in ${evalDir()}`);
    return [];
  }
  writeResult('outline', rows);
  console.log(formatOutlineEval(rows));
  return rows
    .filter(({ right, of }) => right < of)
    .map(({ figure, right, of }) => `outline ${figure}: ${right} of ${of}`);
}

/** Stated, without a floor: what a count in tokens is worth. */
function evaluateTokens(): string[] {
  const rows = runTokenEval();
  if (!rows) {
    console.log(`tokens: skipped, its sets are not in ${evalDir()}`);
    return [];
  }
  writeResult('tokens', rows);
  console.log(formatTokenEval(rows));
  return [];
}

async function main(asked: string[]): Promise<number> {
  const unknown = asked.filter((name) => !NAMES.includes(name));
  if (unknown.length > 0) {
    console.error(`There is no set ${unknown.join(', ')}. Sets: ${NAMES.join(', ')}`);
    return 2;
  }
  const names = asked.length > 0 ? asked : NAMES;
  const retrieval = names.filter((name) => RETRIEVAL_SETS.includes(name));
  const missed = [
    ...(retrieval.length > 0 ? await evaluateRetrieval(retrieval) : []),
    ...(names.includes('routing') ? evaluateRouting() : []),
    ...(names.includes('convert') ? await evaluateConversion() : []),
    ...(names.includes('outline') ? evaluateOutlines() : []),
    ...(names.includes('tokens') ? evaluateTokens() : []),
  ];
  for (const line of missed) console.error(`below the floor: ${line}`);
  return missed.length > 0 ? 1 : 0;
}

process.exitCode = await main(process.argv.slice(2));
