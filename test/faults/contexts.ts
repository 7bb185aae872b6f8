import { setTimeout as delay } from 'node:timers/promises';
import { CUT, harbour } from '../helpers/context-requests.ts';
import { call } from './client.ts';
import { type ContextModel, startContextModel } from './context-model.ts';
import {
  allFound,
  findByContext,
  isSettled,
  keptContexts,
  pathOf,
  type ShownFile,
  type Watched,
  watch,
} from './context-watch.ts';
import { faultDatabases } from './databases.ts';
import { chanceOf, rounds } from './rounds.ts';
import { type Service, startService } from './service.ts';
import { harmOf, type Row } from './table.ts';

const ROUNDS = 8;
const LEASE_SECONDS = 5;
const PATIENCE_MS = 90_000;
/** Several parts of a document, each of several calls. */
const LEAVES = 100;
const PART_TOKENS = '2000';
/** Calls that may be under way when the service is killed, and what each asks for: that much may be asked for again. */
const UNDER_WAY = 4;
const LEAVES_PER_CALL = 10;
const LATEST_KILL_MS = 1_500;

/** Where the rounds strike; the first ones of a document that is new, the last ones of one that is there. */
const TARGETS = [
  'asked',
  'answered',
  'indexing',
  'embedding',
  'anywhen',
  'begun',
  'taken away',
  'replaced',
] as const;
type Target = (typeof TARGETS)[number];

interface Struck {
  service: Service;
  model: ContextModel;
  watched: Watched;
  /** That a document takes when nothing is in its way. */
  calls: number;
  /** From 0 to below 1. */
  chance: () => number;
}

const REPLACED = { 3: 'The quay is closed for repairs until the spring.' };

async function upload({ service, watched }: Struck, text: string): Promise<void> {
  const url = `${service.url}${pathOf(watched)}/content?${CUT}`;
  const { status } = await fetch(url, { method: 'PUT', headers: { prefer: 'respond-async' }, body: text });
  if (status >= 300) throw new Error(`the upload was answered with ${status}`);
}

/** How many calls a document takes, as its dry run says. */
async function callsOf(service: Service): Promise<number> {
  await call(service, 'POST', '/projects', { id: 'reference', name: 'Reference' });
  const form = new FormData();
  form.set('file', new Blob([harbour(LEAVES)]), 'reference.md');
  const path = `/projects/reference/files?${CUT}&dry_run=true`;
  const answer = await fetch(service.url + path, { method: 'POST', body: form });
  return ((await answer.json()) as { contexts: { calls: number } }).contexts.calls;
}

async function settled(service: Service, watched: Watched): Promise<ShownFile> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const { body } = await call(service, 'GET', pathOf(watched));
    if (isSettled(body) || Date.now() > deadline) return body;
    await delay(50);
  }
}

/** Switches contexts for the project, and has what is there brought in line. */
async function apply({ service, watched }: Struck, contextual: boolean): Promise<void> {
  await call(service, 'PATCH', `/projects/${watched.project}`, { contextual });
  const { status } = await call(service, 'POST', `/projects/${watched.project}/files:contexts`, {});
  if (status !== 202) throw new Error(`files:contexts was answered with ${status}`);
}

/** Has contexts written or taken away, and returns when it is time to strike. */
const MOMENTS: Record<Target, (struck: Struck) => Promise<void>> = {
  async asked(struck) {
    await upload(struck, harbour(LEAVES));
    await struck.model.until('asked', struck.watched.name, 1 + Math.floor(struck.chance() * struck.calls));
  },
  async answered(struck) {
    await upload(struck, harbour(LEAVES));
    await struck.model.until('answered', struck.watched.name, 1 + Math.floor(struck.chance() * struck.calls));
    await delay(struck.chance() * 20);
  },
  async indexing(struck) {
    await upload(struck, harbour(LEAVES));
    await struck.model.until('answered', struck.watched.name, struck.calls);
    await delay(struck.chance() * 200);
  },
  async embedding(struck) {
    await upload(struck, harbour(LEAVES));
    await struck.model.until('embedded', struck.watched.name, 1);
    await delay(struck.chance() * 50);
  },
  async anywhen(struck) {
    await upload(struck, harbour(LEAVES));
    await struck.model.until('asked', struck.watched.name, 1);
    await delay(struck.chance() * LATEST_KILL_MS);
  },
  async begun(struck) {
    await call(struck.service, 'PATCH', `/projects/${struck.watched.project}`, { contextual: false });
    await upload(struck, harbour(LEAVES));
    await settled(struck.service, struck.watched);
    await apply(struck, true);
    await delay(struck.chance() * 50);
  },
  async 'taken away'(struck) {
    await upload(struck, harbour(LEAVES));
    await settled(struck.service, struck.watched);
    await apply(struck, false);
    await delay(struck.chance() * 300);
  },
  async replaced(struck) {
    await upload(struck, harbour(LEAVES));
    await settled(struck.service, struck.watched);
    await upload(struck, harbour(LEAVES, REPLACED));
    await delay(struck.chance() * LATEST_KILL_MS);
  },
};

/** What was kept when the service was killed, and how many calls had been made. */
interface Before {
  kept: ReadonlyMap<string, string | null>;
  calls: number;
}

/** Everything that must hold of the file now; the first thing that does not is named. */
async function check(struck: Struck, target: Target, file: ShownFile, before: Before): Promise<string> {
  const { service, model, watched } = struck;
  const isOn = target !== 'taken away';
  const { state, leaves, last_error: error } = file.contexts;
  if (file.status !== 'completed') return `stuck: the file is ${file.status}`;
  if (state !== (isOn ? 'ready' : 'none')) return `stuck: contexts are ${state}: ${JSON.stringify(error)}`;
  if (file.version !== (target === 'replaced' ? 2 : 1)) return `lost: the version is ${file.version}`;
  if (file.chunk_count !== LEAVES || file.vectors_pending !== 0) return `lost: ${JSON.stringify(file)}`;
  if (leaves !== (isOn ? LEAVES : 0)) return `lost: ${leaves} contexts are counted`;
  const contexts = await keptContexts(service, watched);
  for (let at = 0; at < LEAVES; at += 1) {
    const [wanted, context] = [`Of the archipelago guide, on Quay ${at}.`, contexts.get(`Quay ${at}`)];
    if (context !== (isOn ? wanted : null)) return `lost: the context of section ${at} is ${context}`;
  }
  const found = await findByContext(service, watched);
  if (found !== (isOn ? allFound(watched) : 0)) return `lost: ${found} leaves are found by their contexts`;
  return (await checkCharges(struck, target, before)) || checkVectors(model, watched);
}

/** Nothing that was kept is asked for again, and what is charged is what was asked for. */
async function checkCharges({ service, model, watched }: Struck, target: Target, before: Before) {
  const calls = model.callsFor(watched.name);
  const since = calls.slice(before.calls).flatMap(({ sections }) => sections);
  const again = since.find((section) => (before.kept.get(section) ?? null) !== null);
  if (again !== undefined && !(target === 'replaced' && again === 'Quay 3'))
    return `doubled: the context of ${again} was kept, and asked for again`;
  const twice = twiceAsked(model, watched) - (target === 'replaced' ? 1 : 0);
  if (twice > UNDER_WAY * LEAVES_PER_CALL) return `doubled: ${twice} contexts were asked for twice`;
  const { body } = await call(service, 'GET', `/projects/${watched.project}/usage`);
  const charged = body.by_phase.find(({ phase }: { phase: string }) => phase === 'leaf_contexts')?.calls ?? 0;
  if (charged > calls.length) return `doubled: ${charged} calls are charged, and ${calls.length} were made`;
  return charged < calls.length - UNDER_WAY ? `lost: ${charged} calls are charged of ${calls.length}` : '';
}

/** Each leaf has been embedded with its context, and none more than once besides the call that the kill has cut off. */
function checkVectors(model: ContextModel, watched: Watched): string {
  const times = new Map<string, number>();
  for (const text of model.embeddedOf(watched.name)) times.set(text, (times.get(text) ?? 0) + 1);
  if (times.size < LEAVES) return `lost: ${times.size} leaves were embedded with their contexts`;
  const most = Math.max(...times.values());
  return most > 2 ? `doubled: a leaf was embedded ${most} times` : '';
}

/** How many passages were asked for more than once. */
function twiceAsked(model: ContextModel, { name }: Watched): number {
  const sections = model.callsFor(name).flatMap((asked) => asked.sections);
  return sections.length - new Set(sections).size;
}

async function round(
  {
    kind,
    model,
    calls,
    start,
  }: Pick<Struck, 'model' | 'calls'> & { kind: string; start: () => Promise<Service> },
  number: number,
  service: Service,
): Promise<{ row: Row; service: Service }> {
  const target = TARGETS[(number - 1) % TARGETS.length] ?? 'anywhen';
  const watched = { project: `contexts-${number}`, name: `round-${number}-${kind}.md`, leaves: LEAVES };
  const chance = chanceOf(`contexts ${kind}`, number).next;
  await call(service, 'POST', '/projects', { id: watched.project, name: watched.project });
  const watching = watch(service, watched);
  await MOMENTS[target]({ service, model, watched, calls, chance });
  const kept = await keptContexts(service, watched);
  await service.kill();
  const before = { kept, calls: model.callsFor(watched.name).length };
  const halfVisible = await watching.stop();
  const began = Date.now();
  const restarted = await start();
  const startMs = Date.now() - began;
  const watchingOn = watch(restarted, watched);
  const file = await settled(restarted, watched);
  const recoveryMs = Date.now() - began - startMs;
  const failed =
    halfVisible ||
    (await watchingOn.stop()) ||
    (await check({ service: restarted, model, watched, calls, chance }, target, file, before));
  const keptCount = [...kept.values()].filter((context) => context !== null).length;
  const row: Row = {
    database: kind,
    round: number,
    fault: `killed: ${target}`,
    kept: keptCount,
    ended: file.contexts.state,
    calls: model.callsFor(watched.name).length,
    asked_again: twiceAsked(model, watched),
    embedded: model.embeddedOf(watched.name).length,
    start_ms: startMs,
    recovery_ms: recoveryMs,
    harm: harmOf(failed),
    failed:
      failed === '' ? '' : `${kind} round ${number}, killed ${target} with ${keptCount} contexts: ${failed}`,
  };
  return { row, service: restarted };
}

/** Kills the service while contexts of leaves are written or taken away, and looks at what became of them without a client's help. */
export async function breakContexts(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const open of faultDatabases()) {
    const db = await open();
    const model = await startContextModel();
    const settings = {
      ...db.settings,
      ...model.settings,
      CONTEXTUAL: 'on',
      CONTEXTUAL_DOCUMENT_TOKENS: PART_TOKENS,
      JOB_LEASE_SECONDS: String(LEASE_SECONDS),
    };
    const start = () => startService(settings);
    let service = await start();
    try {
      const calls = await callsOf(service);
      for (const number of rounds(ROUNDS)) {
        const outcome = await round({ kind: db.kind, model, calls, start }, number, service);
        rows.push(outcome.row);
        service = outcome.service;
      }
    } finally {
      await service.stop();
      await model.close();
      await db.remove();
    }
  }
  return rows;
}
