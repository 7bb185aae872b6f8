import { randomUUID } from 'node:crypto';
import type { Database } from '../src/db/database.ts';
import { prose } from '../test/helpers/prose.ts';
import { benchTargets, withBenchDatabase } from './bench-database.ts';
import { type BenchService, startService } from './bench-service.ts';
import { percentilesOf } from './percentiles.ts';

const MONSTERS = 12;
/** Notes come one after the other for so long: the largest files are also stored meanwhile, not read and embedded alone. */
const BUSY_S = 60;
/** Before there is anything else. */
const ALONE_S = 3;
/** The goal, in seconds. */
const GOAL = 3;
/** So long does one note wait at most before the measurement says that it did not end. */
const PATIENCE_S = 120;

/** Seconds from a note's upload until it is completed, while large and hostile files are worked on. */
export interface FairnessRow {
  database: Database['kind'];
  project: 'none' | 'same' | 'another';
  seconds: number[];
}

const MIB = 2 ** 20;
const repeated = (text: string, bytes: number): string => text.repeat(Math.ceil(bytes / text.length));

/** Files that cost as much as a file may: long, deep, with a heading on each line, or with one table without an end. */
const MAKERS: { name: string; make: (seed: number) => string }[] = [
  {
    name: 'long.md',
    make: (seed) => repeated(`# Part ${seed}\n\n${prose(seed, 400)}\n\n`, 20 * MIB),
  },
  {
    name: 'headings.md',
    make: (seed) =>
      Array.from({ length: 150_000 }, (_, line) => `${'#'.repeat(1 + (line % 6))} ${seed} ${line}`).join(
        '\n',
      ),
  },
  {
    name: 'table.md',
    make: (seed) =>
      `|a|b|c|\n|-|-|-|\n${Array.from({ length: 120_000 }, (_, row) => `|${seed}|${row}|${prose(row % 97, 1, 6)}|`).join('\n')}`,
  },
  {
    name: 'deep.json',
    make: (seed) =>
      JSON.stringify(
        Array.from({ length: 60_000 }, (_, at) => ({
          at,
          seed,
          in: { a: [{ b: { c: [at, prose(at % 89, 1)] } }] },
        })),
      ),
  },
];

async function upload(
  service: BenchService,
  project: string,
  [name, text]: [string, string],
  prefer: string,
): Promise<{ status: string }> {
  const form = new FormData();
  form.append('file', new Blob([text]), name);
  const response = await fetch(`${service.base}/projects/${project}/files`, {
    method: 'POST',
    headers: { prefer },
    body: form,
  });
  const answer = (await response.json()) as { status: string };
  if (!response.ok) throw new Error(`${name}: ${response.status} ${JSON.stringify(answer).slice(0, 300)}`);
  return answer;
}

async function timeNotes(service: BenchService, project: string, forSeconds: number): Promise<number[]> {
  const seconds: number[] = [];
  const end = performance.now() + forSeconds * 1000;
  for (let note = 0; performance.now() < end; note++) {
    const from = performance.now();
    // no two are alike: what is there already is answered without any work
    const text = `# Note ${randomUUID()}\n\n${prose(note, 6)}`;
    const { status } = await upload(service, project, [`note-${note}.md`, text], `wait=${PATIENCE_S}`);
    seconds.push(status === 'completed' ? (performance.now() - from) / 1000 : Number.POSITIVE_INFINITY);
  }
  return seconds;
}

async function countWaiting(db: Database): Promise<{ running: number; waiting: number }> {
  const { rows } = await db.query<{ running: number; waiting: number }>(
    `select count(*) filter (where locked_until > now())::int as running,
       count(*) filter (where locked_until is null)::int as waiting from jobs where kind = 'ingest_file'`,
  );
  return rows[0] ?? { running: 0, waiting: 0 };
}

async function measure(db: Database, tell: (row: FairnessRow) => void): Promise<void> {
  const service = await startService(db, { SHUTDOWN_SECONDS: '1', MAX_UPLOAD_BYTES: String(64 * MIB) });
  for (const id of ['monsters', 'notes']) await service.call('POST', '/projects', { id, name: id });
  const row = async (project: FairnessRow['project'], id: string) => {
    const seconds = await timeNotes(service, id, project === 'none' ? ALONE_S : BUSY_S);
    tell({ database: db.kind, project, seconds });
  };
  await timeNotes(service, 'notes', ALONE_S);
  await row('none', 'notes');
  for (let seed = 0; seed < MONSTERS; seed++) {
    const { name, make } = MAKERS[seed % MAKERS.length] as (typeof MAKERS)[number];
    await upload(service, 'monsters', [`${seed}-${name}`, make(seed)], 'respond-async');
  }
  await row('another', 'notes');
  await row('same', 'monsters');
  const left = await countWaiting(db);
  console.log(`  ${db.kind}: ${left.running} hostile files are still worked on, ${left.waiting} wait`);
  await service.close();
}

/** A note beside files that keep the service busy: it must not wait for them, in whatever project they are. */
export async function runFairnessBench(): Promise<FairnessRow[]> {
  const rows: FairnessRow[] = [];
  for (const server of benchTargets()) {
    await withBenchDatabase(server, (db) =>
      measure(db, (row) => {
        rows.push(row);
        const longest = Math.max(...row.seconds);
        const { p50, p95, runs } = percentilesOf(row.seconds);
        const times = `${runs} notes: p50 ${p50.toFixed(2)}, p95 ${p95.toFixed(2)}, longest ${longest.toFixed(2)} s`;
        const beside = row.project === 'none' ? 'alone' : `beside ${MONSTERS}, ${row.project} project`;
        const verdict = longest <= GOAL ? `within ${GOAL} s` : `OVER ${GOAL} s`;
        console.log(`  ${db.kind.padEnd(8)} ${beside.padEnd(28)} ${times}; ${verdict}`);
      }),
    );
  }
  return rows;
}
