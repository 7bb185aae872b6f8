import { performance } from 'node:perf_hooks';
import { percentilesOf } from '../../bench/percentiles.ts';
import { openStream } from '../helpers/sse.ts';
import { faultDatabases } from './databases.ts';
import { startProviders } from './providers.ts';
import { type Service, startService } from './service.ts';
import type { Row } from './table.ts';

const STREAMS = 200;
const PROJECTS = 20;
const POOL = 10;
const SAMPLES = 100;
const CANCELS = 10;
/** It is looked for every half a second; a shared machine gets some more before it counts as broken. */
const CANCELLED_MS = 2_000;
/** The goal is 50 ms; a shared machine gets this much before it counts as broken. */
const BROKEN_MS = 500;

/** Streams that hang in the middle of their turns: the first of each project starts it, the others follow it. */
async function openStreams(starter: Service, follower: Service) {
  const headers = { 'content-type': 'application/json' };
  const streams: Awaited<ReturnType<typeof openStream>>[] = [];
  for (let project = 1; project <= PROJECTS; project++) {
    const turns = `/projects/crowd-${project}/turns`;
    await fetch(`${starter.url}/projects`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ id: `crowd-${project}`, name: 'Crowd' }),
    });
    const body = JSON.stringify({ message: 'Who decides?' });
    const first = await openStream(starter.url + turns, { method: 'POST', headers, body });
    await first.until('context.assembled');
    streams.push(first);
    for (let other = 1; other < STREAMS / PROJECTS; other++) {
      streams.push(await openStream(`${follower.url}${turns}/1/events`));
    }
  }
  return streams;
}

async function readiness(service: Service): Promise<number[]> {
  const times: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample++) {
    const from = performance.now();
    await (await fetch(`${service.url}/readyz`)).text();
    times.push(performance.now() - from);
  }
  return times;
}

async function crowd(database: string, settings: Record<string, string>, instances: 1 | 2): Promise<Row> {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let saidAt = Number.POSITIVE_INFINITY;
  const providers = await startProviders(async () => {
    await opened;
    saidAt = Math.min(saidAt, performance.now());
    return { text: 'Dana decides.' };
  });
  const all = { ...settings, ...providers.settings, DATABASE_POOL_SIZE: String(POOL) };
  const starter = await startService(all);
  const follower = instances === 1 ? starter : await startService(all);
  try {
    const idle = percentilesOf(await readiness(follower));
    const streams = await openStreams(starter, follower);
    const busy = percentilesOf(await readiness(follower));
    open();
    const ends = await Promise.all(streams.map(async (stream) => (await stream.all()).at(-1)?.event));
    const completed = ends.filter((event) => event === 'turn.completed').length;
    const failed =
      completed < STREAMS
        ? `${database}: ${completed} of ${STREAMS} streams ended with their turn`
        : busy.p95 > BROKEN_MS
          ? `${database}: /readyz took ${busy.p95.toFixed(0)} ms (p95)`
          : '';
    return {
      database,
      instances,
      streams: streams.length,
      idle_p50_ms: idle.p50.toFixed(1),
      readyz_p50_ms: busy.p50.toFixed(1),
      readyz_p95_ms: busy.p95.toFixed(1),
      all_ended_ms: (performance.now() - saidAt).toFixed(0),
      failed,
    };
  } finally {
    open();
    await starter.stop();
    if (follower !== starter) await follower.stop();
    await providers.close();
  }
}

/** Turns whose model is silent, cancelled through the other instance: the time until the one that runs them says so. */
async function cancelElsewhere(database: string, settings: Record<string, string>): Promise<Row> {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const providers = await startProviders(() => opened.then(() => ({ text: 'Too late.' })));
  const all = { ...settings, ...providers.settings, TURN_LEASE_SECONDS: '3600' };
  const [runner, canceller] = [await startService(all), await startService(all)];
  try {
    const headers = { 'content-type': 'application/json' };
    await fetch(`${runner.url}/projects`, { method: 'POST', headers, body: '{"id":"cancel","name":"C"}' });
    const times: number[] = [];
    const ends: (string | undefined)[] = [];
    for (let turn = 1; turn <= CANCELS; turn++) {
      const body = JSON.stringify({ message: `Who decides, ${turn}?` });
      const stream = await openStream(`${runner.url}/projects/cancel/turns`, {
        method: 'POST',
        headers,
        body,
      });
      await stream.until('context.assembled');
      const from = performance.now();
      await fetch(`${canceller.url}/projects/cancel/turns/${turn}/cancel`, { method: 'POST' });
      ends.push((await stream.all()).at(-1)?.event);
      times.push(performance.now() - from);
    }
    const { p50, p95 } = percentilesOf(times);
    const wrong = ends.find((event) => event !== 'turn.cancelled');
    return {
      database,
      instances: 2,
      streams: 1,
      cancelled_p50_ms: p50.toFixed(0),
      cancelled_p95_ms: p95.toFixed(0),
      failed:
        wrong !== undefined
          ? `${database}: a cancelled turn ended with ${wrong}`
          : p95 > CANCELLED_MS
            ? `${database}: a turn that was cancelled elsewhere ran on for ${p95.toFixed(0)} ms (p95)`
            : '',
    };
  } finally {
    open();
    await runner.stop();
    await canceller.stop();
    await providers.close();
  }
}

/** The time from the model's first words to the client, in a turn that nothing else disturbs. */
async function firstWords(database: string, settings: Record<string, string>): Promise<Row> {
  let saidAt = 0;
  const providers = await startProviders(async () => {
    saidAt = performance.now();
    return { text: ['Dana ', 'decides.'] };
  });
  const service = await startService({ ...settings, ...providers.settings });
  try {
    const headers = { 'content-type': 'application/json' };
    await fetch(`${service.url}/projects`, { method: 'POST', headers, body: '{"id":"first","name":"F"}' });
    const times: number[] = [];
    for (let turn = 0; turn < 20; turn++) {
      const body = JSON.stringify({ message: `Who decides, ${turn}?` });
      const stream = await openStream(`${service.url}/projects/first/turns`, {
        method: 'POST',
        headers,
        body,
      });
      await stream.until('answer.delta');
      times.push(performance.now() - saidAt);
      await stream.all();
    }
    const { p50, p95 } = percentilesOf(times);
    return {
      database,
      instances: 1,
      streams: 1,
      first_words_p50_ms: p50.toFixed(1),
      first_words_p95_ms: p95.toFixed(1),
      failed: '',
    };
  } finally {
    await service.stop();
    await providers.close();
  }
}

/**
 * Many streams at once: none holds a connection of the pool, and the service stays ready. A turn that is cancelled
 * through another instance stops.
 */
export async function crowdStreams(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const open of faultDatabases()) {
    for (const instances of [1, 2] as const) {
      const db = await open();
      try {
        // the embedded database has one process
        if (instances === 2 && db.kind === 'embedded') continue;
        if (instances === 1) rows.push(await firstWords(db.kind, db.settings));
        else rows.push(await cancelElsewhere(db.kind, db.settings));
        rows.push(await crowd(db.kind, db.settings, instances));
      } finally {
        await db.remove();
      }
    }
  }
  return rows;
}
