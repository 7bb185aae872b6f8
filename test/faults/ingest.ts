import { setTimeout as delay } from 'node:timers/promises';
import { Document, Packer, Paragraph } from 'docx';
import { startFakeVoyage, type VoyageRequest } from '../fakes/voyage-server.ts';
import { prose } from '../helpers/prose.ts';
import { faultDatabases } from './databases.ts';
import { chanceOf, rounds } from './rounds.ts';
import { type Service, startService } from './service.ts';
import { harmOf, type Row } from './table.ts';

const ROUNDS = 10;
const LEASE_SECONDS = 5;
const PATIENCE_MS = 90_000;
/** More leaves than one call to the provider holds, so that a kill can fall between two. */
const CHUNKING = { strategy: 'fixed', chunk_chars: 100, overlap_chars: 0 };
const PARAGRAPHS = 260;
const INPUTS_PER_CALL = 1_000;
const MARKER = 'zanzibarite';

/** Where the first rounds strike; `upload` does not wait for the answer, `anywhen` is a random moment. */
const TARGETS = [
  'upload',
  'converting',
  'chunking',
  'storing',
  'embedding',
  'summarizing',
  'anywhen',
  'corrupt',
] as const;
type Target = (typeof TARGETS)[number];

const STAGES = ['converting', 'chunking', 'storing', 'embedding', 'summarizing'];
const LATEST_KILL_MS = 6_000;

async function makeDocument(): Promise<Buffer> {
  const children = Array.from(
    { length: PARAGRAPHS },
    (_, n) => new Paragraph(`${n === PARAGRAPHS - 1 ? `${MARKER} ` : ''}${prose(n, 8)}`),
  );
  return Buffer.from(await Packer.toBuffer(new Document({ sections: [{ children }] })));
}

/** A provider that lets each file wait for its first call, and that counts the texts it has answered for. */
async function startProvider() {
  const answered: string[] = [];
  const refused = new Set<string>();
  const fileOf = (request: VoyageRequest) => /\[Source: ([^\s\]>]+)/.exec(request.input[0] ?? '')?.[1] ?? '';
  const voyage = await startFakeVoyage({
    script: (request) => {
      const file = fileOf(request);
      if (request.input_type === 'document' && !refused.has(file)) {
        refused.add(file);
        return { kind: 'error', status: 429, retryAfter: '1' };
      }
      answered.push(...request.input);
      return { kind: 'ok' };
    },
  });
  return {
    settings: { VOYAGE_API_KEY: 'test-key', VOYAGE_BASE_URL: voyage.url },
    /** How many texts of a file were charged for. */
    charged: (file: string) => answered.filter((text) => text.includes(`[Source: ${file}`)).length,
    close: () => voyage.close(),
  };
}

interface FileShown {
  status: string;
  stage: string | null;
  version: number;
  attempt: number;
  chunk_count: number;
  searchable_version: number | null;
  vectors_pending: number;
  updated_at: string;
  last_error: { code: string } | null;
}

async function getJson<T>(
  service: Service,
  path: string,
  init: RequestInit = {},
): Promise<{ status: number; body: T }> {
  const response = await fetch(service.url + path, init);
  return { status: response.status, body: (await response.json()) as T };
}

function post<T>(service: Service, path: string, body: unknown) {
  const headers = { 'content-type': 'application/json' };
  return getJson<T>(service, path, { method: 'POST', headers, body: JSON.stringify(body) });
}

function upload(service: Service, project: string, name: string, bytes: Buffer) {
  const form = new FormData();
  form.set('chunking', JSON.stringify(CHUNKING));
  form.set('file', new Blob([new Uint8Array(bytes)]), name);
  const headers = { prefer: 'respond-async' };
  return getJson<FileShown>(service, `/projects/${project}/files`, { method: 'POST', headers, body: form });
}

/** Waits for the stage, or for a later one where it went by unseen; gives what was seen last. */
async function waitForStage(service: Service, path: string, target: Target): Promise<string> {
  const wanted = Math.max(0, STAGES.indexOf(target));
  for (;;) {
    const { body } = await getJson<FileShown>(service, path);
    if (body.status === 'completed' || body.status === 'failed') return body.status;
    if (body.stage !== null && STAGES.indexOf(body.stage) >= wanted) return body.stage;
    await delay(2);
  }
}

/** Uploads and strikes. Gives where it struck, and whether the upload had been acknowledged. */
async function strike(
  service: Service,
  { project, name, bytes }: { project: string; name: string; bytes: Buffer },
  target: Target,
  chance: number,
) {
  const sent = upload(service, project, name, bytes).then(
    ({ status }) => status === 202 || status === 201,
    () => false,
  );
  if (target === 'upload') {
    await delay(chance * 60);
    await service.kill();
    return { at: 'upload', acknowledged: await sent };
  }
  const acknowledged = await sent;
  const path = `/projects/${project}/files/${name}`;
  let at = '';
  if (target === 'anywhen') {
    await delay(chance * LATEST_KILL_MS);
    const { body } = await getJson<FileShown>(service, path);
    at = body.stage ?? body.status;
  } else {
    at = await waitForStage(service, path, target);
  }
  await service.kill();
  return { at, acknowledged };
}

async function settled(service: Service, path: string): Promise<FileShown | null> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const { status, body } = await getJson<FileShown>(service, path);
    if (status === 404) return null;
    if (body.status === 'completed' || body.status === 'failed' || Date.now() > deadline) return body;
    await delay(50);
  }
}

interface LeafPage {
  data: { id: string; leaf_index: number; char_start: number; char_end: number }[];
  has_more: boolean;
  last_id: string | null;
}

/** Everything that must hold of a file that was to be completed; the first thing that does not is named. */
async function check(service: Service, project: string, name: string, file: FileShown, expected: number) {
  const path = `/projects/${project}/files/${name}`;
  if (file.status !== 'completed')
    return `stuck: the file is ${file.status}: ${JSON.stringify(file.last_error)}`;
  if (file.version !== 1 || file.searchable_version !== 1) return `the version is ${file.version}`;
  if (file.chunk_count !== expected) return `lost: ${file.chunk_count} leaves instead of ${expected}`;
  if (file.vectors_pending !== 0) return `lost: ${file.vectors_pending} vectors`;
  const { body: list } = await getJson<{ data: unknown[] }>(service, `/projects/${project}/files`);
  if (list.data.length !== 1) return `doubled: ${list.data.length} files instead of one`;
  const ids = new Set<string>();
  let after: string | null = null;
  let next = 0;
  do {
    const query: string = after === null ? '' : `&after=${encodeURIComponent(after)}`;
    const { body: page } = await getJson<LeafPage>(service, `${path}/leaves?limit=100${query}`);
    for (const leaf of page.data) {
      if (leaf.leaf_index !== next) return `lost: leaf ${next} is missing, or there twice`;
      next += 1;
      ids.add(leaf.id);
    }
    after = page.has_more ? page.last_id : null;
  } while (after !== null);
  if (ids.size !== expected) return `lost: ${ids.size} different leaves instead of ${expected}`;
  const found = await post<{ data: { text: string; filename: string }[] }>(
    service,
    `/projects/${project}/search`,
    { query: MARKER },
  );
  if (!found.body.data[0]?.text.includes(MARKER)) return 'lost: the end of the document is not found';
  const again = await getJson<FileShown>(service, path);
  return again.body.updated_at === file.updated_at ? '' : 'doubled: a completed file was worked on again';
}

interface Bench {
  kind: string;
  bytes: Buffer;
  /** Leaves of the document, from a run that was left alone. */
  expected: number;
  provider: Awaited<ReturnType<typeof startProvider>>;
  start: () => Promise<Service>;
}

async function round(
  bench: Bench,
  number: number,
  service: Service,
): Promise<{ row: Row; service: Service }> {
  const target = TARGETS[(number - 1) % TARGETS.length] ?? 'anywhen';
  const isCorrupt = target === 'corrupt';
  const project = `faults-${number}`;
  const name = `round-${number}-${bench.kind}.docx`;
  const path = `/projects/${project}/files/${name}`;
  // half a Word file cannot be read, and must end as failed
  const bytes = isCorrupt ? bench.bytes.subarray(0, bench.bytes.length / 2) : bench.bytes;
  await post(service, '/projects', { id: project, name: project });
  const { at, acknowledged } = await strike(
    service,
    { project, name, bytes },
    target,
    chanceOf(`ingest ${bench.kind}`, number).next(),
  );
  const began = Date.now();
  const restarted = await bench.start();
  const startMs = Date.now() - began;
  let file = await settled(restarted, path);
  const recoveryMs = Date.now() - began - startMs;
  let failed = '';
  if (!file && acknowledged) failed = 'lost: an acknowledged upload';
  if (!file) {
    await upload(restarted, project, name, bytes);
    file = await settled(restarted, path);
  }
  if (failed === '' && !file) failed = 'lost: the file is not there';
  if (failed === '' && file && isCorrupt) {
    if (file.last_error?.code !== 'corrupt_file') failed = `stuck: it ended as ${file.status}`;
  } else if (failed === '' && file) {
    failed = await check(restarted, project, name, file, bench.expected);
  }
  const charged = bench.provider.charged(name);
  // an answer that the killed process did not get to keep is asked for again: one call at most
  if (failed === '' && charged > bench.expected + INPUTS_PER_CALL)
    failed = `doubled: ${charged} texts were charged for`;
  const row: Row = {
    database: bench.kind,
    round: number,
    fault: `killed: ${target}`,
    killed_at: at,
    ended: file?.status ?? 'nothing',
    attempts: file?.attempt ?? 0,
    leaves: file?.chunk_count ?? 0,
    charged,
    start_ms: startMs,
    recovery_ms: recoveryMs,
    harm: harmOf(failed),
    failed: failed === '' ? '' : `${bench.kind} round ${number}, killed at ${at}: ${failed}`,
  };
  return { row, service: restarted };
}

/** Kills the service at every stage of an ingest, and looks at what became of the file without a client's help. */
export async function breakIngest(): Promise<Row[]> {
  const rows: Row[] = [];
  const bytes = await makeDocument();
  for (const open of faultDatabases()) {
    const db = await open();
    const provider = await startProvider();
    const settings = { ...db.settings, ...provider.settings, JOB_LEASE_SECONDS: String(LEASE_SECONDS) };
    const start = () => startService(settings);
    let service = await start();
    try {
      await post(service, '/projects', { id: 'reference', name: 'Reference' });
      const name = `reference-${db.kind}.docx`;
      await upload(service, 'reference', name, bytes);
      const reference = await settled(service, `/projects/reference/files/${name}`);
      const bench = { kind: db.kind, bytes, expected: reference?.chunk_count ?? 0, provider, start };
      for (const number of rounds(ROUNDS)) {
        const outcome = await round(bench, number, service);
        rows.push(outcome.row);
        service = outcome.service;
      }
    } finally {
      await service.stop();
      await provider.close();
      await db.remove();
    }
  }
  return rows;
}
