import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { evalDir } from '../eval/retrieval-data.ts';
import { storeZip } from '../src/documents/formats/docx/package/write-package.ts';
import { workerEntry } from '../src/worker-entry.ts';
import { benchTargets } from './bench-database.ts';
import { makeProject } from './make-project.ts';
import type { MemoryReply } from './memory-service.ts';

const UPLOADS = 500;
const EVERY = 50;
const AT_ONCE = 3;
const LARGE_BYTES = 25 * 1024 * 1024 - 100_000;
const MB = 2 ** 20;
/** From here on the memory of the service must not grow by more than this share. */
const SETTLED_AFTER = 200;
const GROWTH = 0.1;
/** Of the file, at most, while it is received and stored. */
const TIMES_THE_FILE = 12;

/** What one database showed; memory in MB, of the service's process without those that convert. */
export interface MemoryBenchRow {
  database: 'embedded' | 'server';
  /** After so many uploads of the Word files; nothing where the evaluation data is not there. */
  uploads: { count: number; rssMb: number }[];
  /** Growth from 200 uploads to the last, as a share. */
  growth: number | null;
  seconds: number;
  large: { fileMb: number; growthMb: number; timesTheFile: number };
}

interface Service {
  base: string;
  memory(): Promise<{ now: number; peak: number }>;
  close(): Promise<void>;
}

async function nextReply(child: ChildProcess): Promise<MemoryReply> {
  return new Promise((resolve, reject) => {
    const ended = () => reject(new Error('the service has ended'));
    child.once('exit', ended);
    child.once('message', (reply) => {
      child.off('exit', ended);
      resolve(reply as MemoryReply);
    });
  });
}

async function startApart(server: string | undefined): Promise<Service> {
  const entry = workerEntry(import.meta.url, './memory-service');
  const child = fork(entry.path, server === undefined ? [] : [server], { execArgv: entry.execArgv });
  const first = await nextReply(child);
  if (!('base' in first)) throw new Error('the service did not say where it listens');
  return {
    base: first.base,
    async memory() {
      const reply = nextReply(child);
      child.send('memory');
      const answer = await reply;
      if ('base' in answer) throw new Error('the service did not say how much memory it has');
      return answer;
    },
    async close() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.disconnect();
      await ended;
    },
  };
}

/** Uploads a file and waits until it is done or refused, whichever; gives the status. */
async function upload(
  base: string,
  project: string,
  name: string,
  bytes: Buffer,
  prefer: string,
): Promise<number> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)]), name);
  const response = await fetch(`${base}/projects/${project}/files`, {
    method: 'POST',
    headers: { prefer },
    body: form,
  });
  await response.arrayBuffer();
  return response.status;
}

function wordFiles(): Buffer[] {
  const set = join(evalDir(), 'docx');
  if (!existsSync(set)) return [];
  return ['good', 'bad'].flatMap((folder) =>
    readdirSync(join(set, folder)).map((name) => readFileSync(join(set, folder, name))),
  );
}

async function measureMany(service: Service, files: readonly Buffer[]): Promise<MemoryBenchRow['uploads']> {
  const points = [{ count: 0, rssMb: (await service.memory()).now / MB }];
  await makeProject(service.base, 'many');
  let next = 0;
  const uploadOn = async (until: number) => {
    while (next < until) {
      const index = next++;
      const bytes = files[index % files.length] ?? Buffer.alloc(0);
      // what is no Word file is refused at the door: that too is an upload
      await upload(service.base, 'many', `${index}.docx`, bytes, 'wait=60');
    }
  };
  for (let count = EVERY; count <= UPLOADS; count += EVERY) {
    await Promise.all(Array.from({ length: AT_ONCE }, () => uploadOn(count)));
    points.push({ count, rssMb: (await service.memory()).now / MB });
  }
  return points;
}

/** A Word file of nearly the largest size: a picture that cannot be compressed, and a line of text. */
function largeFile(): Buffer {
  const word = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
  const type = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument';
  return storeZip({
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    '_rels/.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="a" Type="${type}" Target="word/document.xml"/></Relationships>`,
    'word/document.xml': `<w:document ${word}><w:body><w:p><w:r><w:t>A picture.</w:t></w:r></w:p></w:body></w:document>`,
    'word/media/image1.png': randomBytes(LARGE_BYTES / 2).toString('hex'),
  });
}

async function measureLarge(service: Service): Promise<MemoryBenchRow['large']> {
  const bytes = largeFile();
  await makeProject(service.base, 'large');
  await upload(service.base, 'large', 'small.md', Buffer.from('# Small\n\nA line.'), 'wait=60');
  await setTimeout(500);
  const before = await service.memory();
  const status = await upload(service.base, 'large', 'large.docx', bytes, 'wait=60');
  if (status !== 201) throw new Error(`the large file was answered with ${status}`);
  const growth = (await service.memory()).peak - before.now;
  return { fileMb: bytes.length / MB, growthMb: growth / MB, timesTheFile: growth / bytes.length };
}

async function measure(server: string | undefined, files: readonly Buffer[]): Promise<MemoryBenchRow> {
  const database = server === undefined ? 'embedded' : 'server';
  const from = performance.now();
  const first = await startApart(server);
  const large = await measureLarge(first).finally(first.close);
  const second = await startApart(server);
  const uploads = files.length === 0 ? [] : await measureMany(second, files).finally(second.close);
  const settled = uploads.find(({ count }) => count === SETTLED_AFTER)?.rssMb;
  const last = uploads.at(-1)?.rssMb;
  const growth = settled === undefined || last === undefined ? null : last / settled - 1;
  return { database, uploads, growth, seconds: (performance.now() - from) / 1000, large };
}

function printRow({ database, uploads, growth, seconds, large }: MemoryBenchRow): void {
  if (growth === null) console.log(`${database}: 500 uploads skipped, docx is not in ${evalDir()}`);
  else {
    const line = uploads.map(({ count, rssMb }) => `${count}: ${rssMb.toFixed(0)}`).join('  ');
    console.log(`${database}: memory in MB after so many uploads (${seconds.toFixed(0)} s)\n  ${line}`);
    const verdict = growth <= GROWTH ? 'flat' : `ABOVE THE GOAL: ${GROWTH * 100} %`;
    console.log(`  from ${SETTLED_AFTER} to ${UPLOADS}: ${(100 * growth).toFixed(1)} %, ${verdict}`);
  }
  const { fileMb, growthMb, timesTheFile } = large;
  const verdict = timesTheFile <= TIMES_THE_FILE ? '' : `  ABOVE THE GOAL: ${TIMES_THE_FILE} times`;
  console.log(
    `  while ${fileMb.toFixed(1)} MB are uploaded and converted: ${growthMb.toFixed(0)} MB more at most, ${timesTheFile.toFixed(1)} times the file${verdict}`,
  );
}

/**
 * Measures the memory of the service's process: after 50, 100, ... 500 uploads of real Word files, good and damaged ones, and at
 * most while a file of nearly 25 MB is uploaded.
 */
export async function runMemoryBench(): Promise<MemoryBenchRow[]> {
  const files = wordFiles();
  const rows: MemoryBenchRow[] = [];
  for (const target of benchTargets()) {
    const row = await measure(target, files);
    printRow(row);
    rows.push(row);
  }
  return rows;
}
