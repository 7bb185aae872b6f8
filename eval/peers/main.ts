import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pythonEnvironment } from '../../scripts/python.ts';
import { run } from '../../scripts/run.ts';
import { comparePaired, confidenceInterval } from '../bootstrap.ts';
import { DOCS_SET, readDocsQuestions, readPages, sectionsOf } from '../docs-pages.ts';
import { openEvalModel } from '../embedding-model.ts';
import { runRetrievalEval } from '../retrieval.ts';
import { evalDir } from '../retrieval-data.ts';
import { DOCS_METRICS } from '../retrieval-docs-qa.ts';
import { mean } from '../retrieval-metrics.ts';
import type { QuestionScores } from '../retrieval-set.ts';
import { settingsInForce } from '../retrieval-settings.ts';

// npm run eval:peers: questions over documentation, asked of Forge and of what a user would build instead with the same sentence
// encoder, in one run. Needs LOCAL_MODEL_DIR, Python and its package index; PEERS_VENV keeps the environment for the next run.

const PACKAGES = [
  'langchain-text-splitters==1.1.3',
  'chromadb==1.5.9',
  'onnxruntime==1.32.0',
  'tokenizers==0.23.3',
  'numpy==2.4.6',
];
/** Chunks in characters, and how far they overlap: LangChain's own examples have the first. */
const CUTS = [
  { chunk: 1_500, overlap: 200 },
  { chunk: 500, overlap: 50 },
];
/** Chunks asked for: several may be of one section, and ten sections are wanted. */
const TOP = 60;

interface Place {
  name: string;
  start: number;
  end: number;
}

/** What the peer scores on each question, by the figures of the set. */
async function askPeer(bin: string, model: string, cut: (typeof CUTS)[number]): Promise<QuestionScores> {
  const pages = readPages();
  const questions = readDocsQuestions();
  const folder = await mkdtemp(join(tmpdir(), 'forge-peers-'));
  try {
    const [asked, found] = [join(folder, 'asked.json'), join(folder, 'found.json')];
    const documents = [...pages].map(([name, { markdown }]) => ({ name, text: markdown }));
    const wanted = { model, ...cut, top: TOP, documents, questions: questions.map(({ query }) => query) };
    await writeFile(asked, JSON.stringify(wanted));
    const script = fileURLToPath(new URL('./retrieval.py', import.meta.url));
    const { code, output } = await run(join(bin, 'python'), [script, asked, found]);
    if (code !== 0) throw new Error(`retrieval.py ended with ${code}: ${output.slice(-500)}`);
    const places = JSON.parse(await readFile(found, 'utf8')) as Place[][];
    const rankings = places.map((ranked) => [
      ...new Set(
        ranked.flatMap(({ name, start, end }) => {
          const page = pages.get(name);
          return page ? sectionsOf([{ charStart: start, charEnd: end }], page) : [];
        }),
      ),
    ]);
    return Object.fromEntries(
      Object.entries(DOCS_METRICS).map(([name, metric]) => [
        name,
        questions.map(({ relevant }, index) => metric(rankings[index] ?? [], relevant)),
      ]),
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The same of Forge, in each mode. */
async function askForge(): Promise<[name: string, scores: QuestionScores][]> {
  const model = openEvalModel();
  const settings = settingsInForce(model.calibration);
  let rows: Parameters<Parameters<typeof runRetrievalEval>[3]>[0][number] = [];
  await runRetrievalEval([DOCS_SET], [settings], { reranker: null, contexts: null }, ([measured = []]) => {
    rows = measured;
  });
  const of = (mode: 'lexical' | 'hybrid'): QuestionScores =>
    Object.fromEntries(rows.map(({ name, scores }) => [name, scores[mode] ?? []]));
  return [
    ['Forge, words alone', of('lexical')],
    [`Forge, hybrid with ${model.id}`, of('hybrid')],
  ];
}

function line(name: string, scores: QuestionScores, against?: QuestionScores): string {
  const cells = Object.keys(DOCS_METRICS).map((figure) => {
    const values = scores[figure] ?? [];
    const { low, high } = confidenceInterval(values);
    const other = against?.[figure];
    const p = other ? ` p ${comparePaired(values, other).p.toFixed(3)}` : '';
    return `${figure} ${mean(values).toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)})${p}`.padEnd(44);
  });
  return `${name.padEnd(60)}${cells.join('')}`.trimEnd();
}

async function main(): Promise<number> {
  const model = process.env.LOCAL_MODEL_DIR;
  if (!model) {
    console.error('LOCAL_MODEL_DIR names no sentence encoder: both sides have the same.');
    return 2;
  }
  if (!existsSync(join(evalDir(), DOCS_SET))) {
    console.log(`skipped: ${DOCS_SET} is not in ${evalDir()}`);
    return 0;
  }
  const folder = process.env.PEERS_VENV ?? join(await mkdtemp(join(tmpdir(), 'forge-peers-')), 'venv');
  const python = await pythonEnvironment(folder, 'chroma', PACKAGES);
  if ('missing' in python) {
    console.log(`skipped: ${python.missing}`);
    return 0;
  }
  const forge = await askForge();
  const hybrid = forge.at(-1)?.[1];
  for (const [name, scores] of forge) console.log(line(name, scores));
  for (const cut of CUTS) {
    const scores = await askPeer(python.bin, resolve(model), cut);
    console.log(line(`LangChain ${cut.chunk}/${cut.overlap}, the same encoder, Chroma`, scores, hybrid));
  }
  return 0;
}

process.exitCode = await main();
