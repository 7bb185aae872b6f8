import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { pino } from 'pino';
import { readConfig } from '../src/config.ts';
import { createContainer } from '../src/container.ts';
import type { Database } from '../src/db/database.ts';
import type { EmbeddingModel } from '../src/embeddings/model.ts';
import { benchTargets, withBenchDatabase } from './bench-database.ts';
import { makeReport } from './ingest-documents.ts';
import { type StageSeconds, watchStages } from './ingest-stages.ts';
import { makeProject } from './make-project.ts';
import { makeMarkdown } from './outline-documents.ts';
import { stubModel } from './stub-model.ts';

const GOALS = { localSeconds: 10, wordsSeconds: 2, markdownSeconds: 3, loopP99Ms: 20, reused: 0.99 };
const RESOLUTION_MS = 1;
/** How often a client looks. */
const LOOK_MS = 20;
/** A large manual, and what is a tenth and a hundredth of it, in characters. */
const MARKDOWN = [1_300_000, 130_000, 13_000];

/** One line of the result. */
export interface IngestBenchRow {
  database: Database['kind'];
  what: string;
  /** In pages, or in characters. */
  size: string;
  leaves: number;
  /** From the request to an answer that has the outline. */
  outlineSeconds: number;
  /** To a search that finds the file, by its words at least. */
  wordsSeconds: number;
  /** To the answer that the file is complete. */
  seconds: number;
  /** Where the time went, in seconds. */
  stages: StageSeconds;
  /** What the service's process used of processors meanwhile, threads included and the conversion process not. */
  cpuSeconds: number;
  /** How late the service's event loop was meanwhile, in milliseconds. */
  loopDelay: { p50: number; p99: number; max: number };
  /** Share of the leaves that were not embedded. */
  reused: number;
}

type Stages = ReturnType<typeof watchStages>;
/** A file that is uploaded. */
type Document = { bytes: Buffer; ending: string };

async function withService<T>(
  db: Database,
  embeddingModel: EmbeddingModel | undefined,
  run: (base: string, stages: Stages) => Promise<T>,
): Promise<T> {
  const stages = watchStages(db);
  const container = await createContainer(readConfig({ LOG_LEVEL: 'silent' }), pino({ level: 'silent' }), {
    db: { ...stages.db, close: async () => undefined },
    ...(embeddingModel && { embeddingModel }),
  });
  try {
    return await run(await container.app.listen({ host: '127.0.0.1', port: 0 }), stages);
  } finally {
    await container.close();
  }
}

interface BenchFile {
  status: string;
  chunk_count: number;
}

const getJson = async <T>(url: string, init?: RequestInit): Promise<T> =>
  (await (await fetch(url, init)).json()) as T;

/** Whether a search finds anything of the project. */
async function isFound(place: string): Promise<boolean> {
  const found = await getJson<{ data: unknown[] }>(`${place}/search`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      query: 'campaign budget of the quarter',
      mode: 'lexical',
      min_score: 0,
      limit: 1,
    }),
  });
  return found.data.length > 0;
}

/** Uploads a document and looks at it, as a client does, until there is nothing left to come. */
async function upload(base: string, project: string, { bytes, ending }: Document, stages: Stages) {
  const name = `${project}.${ending}`;
  const place = `${base}/projects/${project}`;
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)]), name);
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const cpu = process.cpuUsage();
  stages.begin();
  const from = performance.now();
  const since = (): number => (performance.now() - from) / 1_000;
  const headers = { prefer: 'respond-async' };
  await fetch(`${place}/files`, { method: 'POST', headers, body: form });
  let outlineSeconds = Number.NaN;
  let wordsSeconds = Number.NaN;
  let file: BenchFile;
  for (;;) {
    if (Number.isNaN(outlineSeconds)) {
      const { state } = await getJson<{ state: string }>(`${place}/files/${name}/outline`);
      if (state === 'ready') outlineSeconds = since();
    }
    if (Number.isNaN(wordsSeconds) && (await isFound(place))) wordsSeconds = since();
    file = await getJson<BenchFile>(`${place}/files/${name}`);
    if (file.status !== 'queued' && file.status !== 'in_progress') break;
    await setTimeout(LOOK_MS);
  }
  const seconds = since();
  const split = stages.split();
  const { user, system } = process.cpuUsage(cpu);
  delay.disable();
  if (file.status !== 'completed') throw new Error(JSON.stringify(file));
  // what came between two looks
  if (Number.isNaN(outlineSeconds)) outlineSeconds = seconds;
  if (Number.isNaN(wordsSeconds)) wordsSeconds = seconds;
  // what is recorded is the time between two looks
  const late = (ns: number) => Math.max(0, ns / 1e6 - RESOLUTION_MS);
  return {
    leaves: file.chunk_count,
    outlineSeconds,
    wordsSeconds,
    seconds,
    stages: split,
    cpuSeconds: (user + system) / 1e6,
    loopDelay: { p50: late(delay.percentile(50)), p99: late(delay.percentile(99)), max: late(delay.max) },
  };
}

const docx = async (pages: number, options = {}) => ({
  bytes: await makeReport(pages, options),
  ending: 'docx',
});
const markdown = (characters: number) => ({ bytes: Buffer.from(makeMarkdown(characters)), ending: 'md' });

async function measureLocal(db: Database): Promise<IngestBenchRow[]> {
  return withService(db, undefined, async (base, stages) => {
    const rows: IngestBenchRow[] = [];
    const measure = async (what: string, size: string, project: string, document: Document) => {
      await makeProject(base, project);
      const measured = await upload(base, project, document, stages);
      rows.push({ database: db.kind, what, size, ...measured, reused: 0 });
    };
    // the model is loaded and the probes are embedded behind this one
    await makeProject(base, 'warm');
    await upload(base, 'warm', await docx(1), stages);
    await measure('DOCX, local model', '30 pages', 'local', await docx(30));
    for (const characters of MARKDOWN) {
      const size = `${characters / 1_000} kB`;
      await measure('Markdown, local model', size, `local-${characters}`, markdown(characters));
    }
    return rows;
  });
}

async function measureStub(db: Database): Promise<IngestBenchRow[]> {
  const counter = { texts: 0 };
  return withService(db, stubModel(counter), async (base, stages) => {
    const rows: IngestBenchRow[] = [];
    const measure = async (what: string, size: string, project: string, document: Document) => {
      counter.texts = 0;
      const measured = await upload(base, project, document, stages);
      const reused = 1 - counter.texts / measured.leaves;
      // outline and words of the version before are there all the time: the new one's come with the rest
      const { seconds } = measured;
      const isNewer = rows.some(({ size: before }) => before === size);
      const swapped = isNewer && { outlineSeconds: seconds, wordsSeconds: seconds };
      rows.push({ database: db.kind, what, size, ...measured, ...swapped, reused });
    };
    for (const pages of [3, 30, 300]) {
      await makeProject(base, `stub-${pages}`);
      await measure('DOCX, all but embedding', `${pages} pages`, `stub-${pages}`, await docx(pages));
    }
    await measure('DOCX, one paragraph edited', '300 pages', 'stub-300', await docx(300, { edited: true }));
    for (const characters of MARKDOWN.toReversed()) {
      const project = `markdown-${characters}`;
      await makeProject(base, project);
      await measure('Markdown, all but embedding', `${characters / 1_000} kB`, project, markdown(characters));
    }
    return rows;
  });
}

function missedGoals(row: IngestBenchRow): string[] {
  const missed: string[] = [];
  const check = (goal: string, reached: boolean) => !reached && missed.push(goal);
  const { what, size, wordsSeconds } = row;
  if (what === 'DOCX, local model') check(`${GOALS.localSeconds} s`, row.seconds <= GOALS.localSeconds);
  if (what.startsWith('Markdown')) {
    check(`words ${GOALS.markdownSeconds} s`, wordsSeconds <= GOALS.markdownSeconds);
  }
  if (what.includes('all but') && size === '300 pages') {
    check(`words ${GOALS.wordsSeconds} s`, wordsSeconds <= GOALS.wordsSeconds);
    check(`event loop p99 ${GOALS.loopP99Ms} ms`, row.loopDelay.p99 <= GOALS.loopP99Ms);
  }
  if (what.includes('edited')) check(`${GOALS.reused * 100} % reused`, row.reused >= GOALS.reused);
  return missed;
}

function printRow(row: IngestBenchRow): void {
  const { database, what, size, leaves, seconds, cpuSeconds, loopDelay, reused, stages } = row;
  const missed = missedGoals(row);
  console.log(
    `${database.padEnd(9)} ${what.padEnd(27)} ${size.padStart(9)} ${String(leaves).padStart(5)} leaves  ` +
      `outline ${row.outlineSeconds.toFixed(2)} words ${row.wordsSeconds.toFixed(2)} vectors ${seconds.toFixed(2)} s ` +
      `(${cpuSeconds.toFixed(1)} s cpu)  event loop p99 ${loopDelay.p99.toFixed(1)} max ${loopDelay.max.toFixed(0)} ms  ` +
      `reused ${(100 * reused).toFixed(1)} %${missed.length > 0 ? `  ABOVE THE GOAL: ${missed.join(', ')}` : ''}`,
  );
  const parts = Object.entries(stages).map(([stage, part]) => `${stage} ${part.toFixed(2)}`);
  console.log(`${''.padEnd(10)}${parts.join(', ')} s`);
}

/**
 * Measures uploads through HTTP until their outline, their words and their vectors are there: with a model that takes no time (Word
 * files of 3, 30 and 300 pages, the last again with one paragraph edited; Markdown of 13 kB, 130 kB and 1.3 MB), and with the local one.
 */
export async function runIngestBench(): Promise<IngestBenchRow[]> {
  const rows: IngestBenchRow[] = [];
  for (const target of benchTargets()) {
    const measured = await withBenchDatabase(target, measureStub);
    measured.forEach(printRow);
    const local = await withBenchDatabase(target, measureLocal);
    local.forEach(printRow);
    rows.push(...measured, ...local);
  }
  return rows;
}
