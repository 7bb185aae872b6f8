import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import type { EmbeddingModel } from '../src/embeddings/model.ts';
import { packageRoot } from '../src/package-root.ts';
import { formatAnswerability, runAnswerabilityEval } from './answerability/run.ts';
import { type EvalRequest, readArguments } from './arguments.ts';
import { type EvalContexts, openEvalContexts } from './contexts.ts';
import { formatConvertEval, missedFloors, runConvertEval } from './convert.ts';
import { openEvalModel } from './embedding-model.ts';
import { formatInjectionEval, runInjectionEval } from './injections/run.ts';
import { formatComparison, keepResult } from './kept-results.ts';
import { formatMemoryEval, runMemoryEval } from './memory/run.ts';
import { formatDialogueEval, runDialogueEval } from './offline-dialogues/run.ts';
import { formatOutlineEval, runOutlineEval } from './outline.ts';
import { runPromptEval } from './prompts/run.ts';
import { type EvalReranker, openEvalReranker } from './reranker.ts';
import { RETRIEVAL_SETS, runRetrievalEval } from './retrieval.ts';
import { evalDir } from './retrieval-data.ts';
import { type EvalSettings, settingAt, settingsInForce } from './retrieval-settings.ts';
import { formatRows, formatSweep, isBelow, type RetrievalRow, rowsHeader } from './retrieval-table.ts';
import { formatRoutingEval, runRoutingEval } from './routing.ts';
import { formatTokenEval, runTokenEval } from './tokens.ts';
import { UsageError } from './usage-error.ts';

// npm run eval [-- SET...]: measures the sets named, or all. Ends with 1 when a floor was missed. With `--set KEY=VALUE`
// or `--sweep KEY=VALUE,VALUE...` retrieval is measured with other constants than the service's, with `--rerank` with the
// reranker of the settings, too, and with `--contextual` with contexts of leaves by its small model. `--keep NAME` keeps what was measured in docs/results, `--compare NAME NAME [MODE]` compares
// two that are kept, question by question.

const ROUTING_GOAL = { precision: 0.95, recall: 0.98 };
/** Questions without an answer that get nothing, where so many answers are kept. */
const SILENCE_GOAL = { silent: 0.9, kept: 0.97 };
/** Facts of a long conversation that stand in the prompt of the question for them. */
const MEMORY_GOAL = 0.9;
/** Scripted exchanges with the offline model that hold. */
const DIALOGUES_FLOOR = 65;
const NAMES = [
  ...RETRIEVAL_SETS,
  'answerability',
  'routing',
  'convert',
  'outline',
  'tokens',
  'injections',
  'dialogues',
  'prompts',
  'memory',
];

function writeResult(name: string, result: unknown): void {
  const folder = join(packageRoot, 'eval', 'results');
  mkdirSync(folder, { recursive: true });
  const machine = { node: process.version, cpus: cpus().length, cpu: cpus()[0]?.model ?? '' };
  writeFileSync(
    join(folder, `${name}.json`),
    `${JSON.stringify({ at: new Date().toISOString(), machine, result }, null, 2)}\n`,
  );
}

/** What is measured beside the search alone; null: it is not. */
interface Beside {
  reranker: EvalReranker | null;
  contexts: EvalContexts | null;
}

const besideOf = ({ reranker, contexts }: Beside) => ({
  isReranked: reranker !== null,
  isContextual: contexts !== null,
});

/** Each returns what is below its floor. */
async function evaluateRetrieval(
  names: readonly string[],
  inForce: EvalSettings,
  { model, reranker, contexts, keep }: Beside & { model: EmbeddingModel; keep: string | null },
): Promise<string[]> {
  const rows: RetrievalRow[] = [];
  console.log(rowsHeader(besideOf({ reranker, contexts })));
  await runRetrievalEval(names, [inForce], { reranker, contexts }, ([measured = []]) => {
    rows.push(...measured);
    console.log(formatRows(measured));
  });
  writeResult('retrieval', rows);
  if (keep !== null) {
    keepResult(keep, rows, {
      embeddingModel: model.id,
      reranker: reranker?.name ?? null,
      contexts: contexts?.name ?? null,
      settings: inForce,
    });
  }
  return rows.filter((row) => isBelow(row, row.floor)).map((row) => `${row.set} ${row.name}`);
}

/** What other settings come to: to be looked at, not to be passed. */
async function evaluateTuned(
  names: readonly string[],
  { sweptKey, variants }: NonNullable<EvalRequest['tuned']>,
  inForce: EvalSettings,
  beside: Beside,
): Promise<void> {
  if (sweptKey === null) console.log(rowsHeader(besideOf(beside)));
  await runRetrievalEval(names, variants, beside, (measured) => {
    if (sweptKey === null) return console.log(measured.map(formatRows).join('\n'));
    const valueIn = (settings: EvalSettings) => settingAt(settings, sweptKey);
    const swept = variants.map((settings, index) => ({
      value: valueIn(settings),
      rows: measured[index] ?? [],
    }));
    console.log(`${formatSweep({ key: sweptKey, inForce: valueIn(inForce) }, swept)}\n`);
  });
}

function evaluateRouting(): string[] {
  const result = runRoutingEval();
  writeResult('routing', result);
  console.log(formatRoutingEval(result));
  const { precision, recall } = result;
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

/** What holds of requests that carry orders in their data: for every injection all that it names. */
async function evaluateInjections(): Promise<string[]> {
  const result = await runInjectionEval();
  writeResult('injections', result);
  console.log(formatInjectionEval(result));
  return result.requirements.flatMap(({ requirement, failed }) =>
    failed.map((id) => `injections ${id}: ${requirement}`),
  );
}

/** Stated beside its goal, without a floor: with the offline model, which chooses sentences by rules. */
async function evaluateMemory(): Promise<string[]> {
  const result = await runMemoryEval();
  writeResult('memory', result);
  console.log(formatMemoryEval(result));
  const reached = result.inPrompt >= MEMORY_GOAL * result.questions;
  console.log(`goal: ${100 * MEMORY_GOAL} % in the prompt${reached ? '' : ': below the goal'}`);
  return [];
}

/** What the offline model says and records in scripted exchanges: as many must hold as did before. */
async function evaluateDialogues(): Promise<string[]> {
  const played = await runDialogueEval();
  writeResult('dialogues', played);
  console.log(formatDialogueEval(played));
  const passed = played.filter(({ unmet }) => unmet.length === 0).length;
  return passed < DIALOGUES_FLOOR ? [`dialogues: ${passed} of ${played.length}, not ${DIALOGUES_FLOOR}`] : [];
}

/** Shown, without a floor: what is sent to the large model. */
async function evaluatePrompts(): Promise<string[]> {
  console.log(await runPromptEval());
  return [];
}

/** Stated beside its goal, without a floor. */
async function evaluateAnswerability(inForce: EvalSettings): Promise<string[]> {
  const { curves, skipped } = await runAnswerabilityEval(inForce);
  writeResult('answerability', curves);
  for (const line of skipped) console.log(line);
  console.log(formatAnswerability(curves));
  console.log(`goal: ${100 * SILENCE_GOAL.silent} % get nothing at ${100 * SILENCE_GOAL.kept} % kept`);
  return [];
}

async function main(args: string[]): Promise<number> {
  if (args[0] === '--compare') {
    const [, before, after, mode, ...more] = args;
    if (before === undefined || after === undefined || more.length > 0) {
      throw new UsageError(
        '--compare takes the names of two results in docs/results, and a mode if you want one.',
      );
    }
    console.log(formatComparison(before, after, mode));
    return 0;
  }
  const model = openEvalModel();
  const inForce = settingsInForce(model.calibration);
  const { names, rerank, contextsUsd, keep, tuned } = readArguments(
    args,
    { all: NAMES, retrieval: RETRIEVAL_SETS },
    inForce,
  );
  const retrieval = names.filter((name) => RETRIEVAL_SETS.includes(name));
  const reranker = rerank ? openEvalReranker() : null;
  const contexts = contextsUsd === null ? null : await openEvalContexts(contextsUsd);
  if (tuned) {
    await evaluateTuned(retrieval, tuned, inForce, { reranker, contexts });
    return 0;
  }
  const missed = [
    ...(retrieval.length > 0
      ? await evaluateRetrieval(retrieval, inForce, { model, reranker, contexts, keep })
      : []),
    ...(names.includes('answerability') ? await evaluateAnswerability(inForce) : []),
    ...(names.includes('routing') ? evaluateRouting() : []),
    ...(names.includes('convert') ? await evaluateConversion() : []),
    ...(names.includes('outline') ? evaluateOutlines() : []),
    ...(names.includes('tokens') ? evaluateTokens() : []),
    ...(names.includes('injections') ? await evaluateInjections() : []),
    ...(names.includes('memory') ? await evaluateMemory() : []),
    ...(names.includes('dialogues') ? await evaluateDialogues() : []),
    ...(names.includes('prompts') ? await evaluatePrompts() : []),
  ];
  for (const line of missed) console.error(`below the floor: ${line}`);
  return missed.length > 0 ? 1 : 0;
}

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  if (!(error instanceof UsageError)) throw error;
  console.error(error.message);
  return 2;
});
