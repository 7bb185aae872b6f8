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
import { stubModel } from './stub-model.ts';

const GOALS = { localSeconds: 10, stubSeconds: 2, loopP99Ms: 20, reused: 0.99 };
const RESOLUTION_MS = 1;

/** One line of the result. */
export interface IngestBenchRow {
  database: Database['kind'];
  what: string;
  pages: number;
  leaves: number;
  /** From the request to the answer that the file is complete. */
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

async function upload(base: string, project: string, bytes: Buffer, stages: Stages) {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)]), `${project}.docx`);
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const cpu = process.cpuUsage();
  stages.begin();
  const from = performance.now();
  const response = await fetch(`${base}/projects/${project}/files`, {
    method: 'POST',
    headers: { prefer: 'wait=60' },
    body: form,
  });
  let file = (await response.json()) as BenchFile;
  while (file.status === 'queued' || file.status === 'in_progress') {
    await setTimeout(100);
    file = (await (await fetch(`${base}/projects/${project}/files/${project}.docx`)).json()) as BenchFile;
  }
  const seconds = (performance.now() - from) / 1000;
  const split = stages.split();
  const { user, system } = process.cpuUsage(cpu);
  delay.disable();
  if (file.status !== 'completed') throw new Error(`${response.status} ${JSON.stringify(file)}`);
  // what is recorded is the time between two looks
  const late = (ns: number) => Math.max(0, ns / 1e6 - RESOLUTION_MS);
  return {
    leaves: file.chunk_count,
    seconds,
    stages: split,
    cpuSeconds: (user + system) / 1e6,
    loopDelay: { p50: late(delay.percentile(50)), p99: late(delay.percentile(99)), max: late(delay.max) },
  };
}

async function measureLocal(db: Database): Promise<IngestBenchRow> {
  const report = await makeReport(30);
  return withService(db, undefined, async (base, stages) => {
    // the model is loaded and the probes are embedded behind this one
    await makeProject(base, 'warm');
    await upload(base, 'warm', await makeReport(1), stages);
    await makeProject(base, 'local');
    const measured = await upload(base, 'local', report, stages);
    return { database: db.kind, what: 'DOCX, local model', pages: 30, ...measured, reused: 0 };
  });
}

async function measureStub(db: Database): Promise<IngestBenchRow[]> {
  const counter = { texts: 0 };
  return withService(db, stubModel(counter), async (base, stages) => {
    const rows: IngestBenchRow[] = [];
    const measure = async (what: string, project: string, pages: number, bytes: Buffer) => {
      counter.texts = 0;
      const measured = await upload(base, project, bytes, stages);
      const reused = 1 - counter.texts / measured.leaves;
      rows.push({ database: db.kind, what, pages, ...measured, reused });
    };
    for (const pages of [3, 30, 300]) {
      await makeProject(base, `stub-${pages}`);
      await measure('DOCX, all but embedding', `stub-${pages}`, pages, await makeReport(pages));
    }
    await measure('DOCX, one paragraph edited', 'stub-300', 300, await makeReport(300, { edited: true }));
    return rows;
  });
}

function missedGoals(row: IngestBenchRow): string[] {
  const missed: string[] = [];
  const check = (goal: string, reached: boolean) => !reached && missed.push(goal);
  if (row.what.includes('local')) check(`${GOALS.localSeconds} s`, row.seconds <= GOALS.localSeconds);
  if (row.what.includes('all but') && row.pages === 300) {
    check(`${GOALS.stubSeconds} s`, row.seconds <= GOALS.stubSeconds);
    check(`event loop p99 ${GOALS.loopP99Ms} ms`, row.loopDelay.p99 <= GOALS.loopP99Ms);
  }
  if (row.what.includes('edited')) check(`${GOALS.reused * 100} % reused`, row.reused >= GOALS.reused);
  return missed;
}

function printRow(row: IngestBenchRow): void {
  const { database, what, pages, leaves, seconds, cpuSeconds, loopDelay, reused, stages } = row;
  const missed = missedGoals(row);
  console.log(
    `${database.padEnd(9)} ${what.padEnd(27)} ${String(pages).padStart(3)} pages ${String(leaves).padStart(5)} leaves ` +
      `${seconds.toFixed(2).padStart(6)} s (${cpuSeconds.toFixed(1)} s cpu)  event loop p99 ${loopDelay.p99.toFixed(1).padStart(5)} max ${loopDelay.max.toFixed(0).padStart(4)} ms  ` +
      `reused ${(100 * reused).toFixed(1)} %${missed.length > 0 ? `  ABOVE THE GOAL: ${missed.join(', ')}` : ''}`,
  );
  const parts = Object.entries(stages).map(([stage, part]) => `${stage} ${part.toFixed(2)}`);
  console.log(`${''.padEnd(10)}${parts.join(', ')} s`);
}

/**
 * Measures uploads through HTTP until they are searchable: with the local model, with a model that takes no time (3, 30
 * and 300 pages), and again with one paragraph edited.
 */
export async function runIngestBench(): Promise<IngestBenchRow[]> {
  const rows: IngestBenchRow[] = [];
  for (const target of benchTargets()) {
    const measured = await withBenchDatabase(target, measureStub);
    measured.push(await withBenchDatabase(target, measureLocal));
    measured.forEach(printRow);
    rows.push(...measured);
  }
  return rows;
}
