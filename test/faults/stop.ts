import { once } from 'node:events';
import { connect } from 'node:net';
import { performance } from 'node:perf_hooks';
import { startFakeEmbeddings } from '../fakes/openai-embeddings.ts';
import { gate } from '../helpers/gate.ts';
import { parseAnswer } from '../helpers/raw-http.ts';
import { openStream } from '../helpers/sse.ts';
import { call } from './client.ts';
import { faultDatabases } from './databases.ts';
import { startHeldModel } from './held-model.ts';
import { type Service, startService } from './service.ts';
import type { Row } from './table.ts';

/** A text that has it gets no vector before the test allows it. */
const HELD = 'Zanzibar';
const BOUNDARY = 'forge-stop';
const SHUTDOWN_SECONDS = 5;
/** What need not wait for a deadline; a shared machine gets this much before it counts as broken. */
const AT_ONCE_MS = 1_000;
/** Then the process ends itself by force. */
const FORCED_MS = 3_000;

/** Something that came to its end, what it was told, and how long after the signal. */
export interface End {
  what: 'upload' | 'body' | 'turn' | 'file' | 'process';
  told: string;
  ms: number;
}

const multipart = (name: string, text: string): string =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n${text}`;
const TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

/** An upload whose body begins, and does not go on; resolves with the answer when it was broken off. */
async function stallBody({ url }: Service) {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  // what it was told counts, not how it was left
  socket.on('error', () => undefined);
  const head = ['POST /projects/p/files HTTP/1.1', `Host: ${host}`, `Content-Type: ${TYPE}`];
  socket.write(`${[...head, 'Content-Length: 1000000', 'Expect: 100-continue'].join('\r\n')}\r\n\r\n`);
  // "100 Continue": the service awaits the body
  await once(socket, 'data');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.write(multipart('slow.md', '# Slow'));
  const answered = once(socket, 'close').then(() =>
    String(parseAnswer(Buffer.concat(chunks).toString()).status),
  );
  return { answered };
}

/** Everything that may be under way: an upload that waits, a body that stands still, a turn and a file that are followed. */
async function beginAll(service: Service, arrived: Promise<void>) {
  await call(service, 'POST', '/projects', { id: 'p', name: 'P' });
  const upload = fetch(`${service.url}/projects/p/files`, {
    method: 'POST',
    headers: { 'content-type': TYPE, prefer: 'wait=60' },
    body: `${multipart('plan.md', `# Plan\n\nThe budget of ${HELD} is small.`)}\r\n--${BOUNDARY}--\r\n`,
  });
  await arrived;
  const file = await openStream(`${service.url}/projects/p/files/plan.md/events`);
  await file.until('file.progress');
  const turn = await openStream(`${service.url}/projects/p/turns`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"message":"Dana decides."}',
  });
  await turn.until('answer.delta');
  const { answered } = await stallBody(service);
  return {
    upload: upload.then(({ status }) => String(status)),
    body: answered,
    turn: turn.all().then((events) => events.at(-1)?.event ?? 'nothing'),
    file: file.all().then((events) => events.at(-1)?.event ?? 'nothing'),
    process: service.ended.then(String),
  };
}

/**
 * Stops a process of the service while everything is under way that could hold it up.
 *
 * @returns how each thing ended, in the order in which they did, and the phases of the shutdown as they were logged
 */
export async function stopUnderWay(
  settings: Record<string, string>,
): Promise<{ ends: End[]; phases: string[] }> {
  const arrived = gate();
  const allowed = gate();
  const embeddings = await startFakeEmbeddings({
    script: ({ input }) => {
      if (!input.some((text) => text.includes(HELD))) return undefined;
      arrived.open();
      return allowed.opened;
    },
  });
  const model = await startHeldModel();
  model.hold();
  const service = await startService({
    ...settings,
    ...model.settings,
    EMBEDDING_PROVIDER: 'openai',
    EMBEDDING_BASE_URL: embeddings.url,
    EMBEDDING_MODEL: 'nomic-embed-text',
    EMBEDDING_DIMENSIONS: '768',
    SHUTDOWN_SECONDS: String(SHUTDOWN_SECONDS),
  });
  try {
    const underWay = await beginAll(service, arrived.opened);
    const from = performance.now();
    service.tell('SIGTERM');
    const ends: End[] = [];
    const note = async ([what, ended]: [string, Promise<string>]) => {
      const told = await ended;
      ends.push({ what: what as End['what'], told, ms: Math.round(performance.now() - from) });
    };
    await Promise.all(Object.entries(underWay).map(note));
    const entries = service.logged.map((line) => JSON.parse(line));
    const phases = entries
      .filter(({ phase }) => phase !== undefined)
      .map(({ phase, msg }) => `${phase}: ${msg}`);
    return { ends, phases };
  } finally {
    allowed.open();
    await service.kill();
    await Promise.all([model.close(), embeddings.close()]);
  }
}

const TOLD: Record<End['what'], string> = {
  upload: '202',
  body: '503',
  turn: 'turn.failed',
  file: 'file.progress',
  process: '0',
};

function problemsOf(ends: readonly End[]): string[] {
  return ends.flatMap(({ what, told, ms }) => {
    const mostMs = what === 'upload' ? AT_ONCE_MS : SHUTDOWN_SECONDS * 1000 + FORCED_MS;
    if (told !== TOLD[what]) return [`${what}: ${told}, not ${TOLD[what]}`];
    return ms > mostMs ? [`${what}: after ${ms} ms`] : [];
  });
}

/** What a stop takes that everything holds up which can: when each thing ended, after the signal. */
export async function stopAll(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const open of faultDatabases()) {
    const database = await open();
    try {
      const { ends } = await stopUnderWay(database.settings);
      const times = Object.fromEntries(ends.map(({ what, ms }) => [`${what}_ms`, ms]));
      const failed = problemsOf(ends).join('; ');
      rows.push({ database: database.kind, within_s: SHUTDOWN_SECONDS, ...times, failed });
    } finally {
      await database.remove();
    }
  }
  return rows;
}
