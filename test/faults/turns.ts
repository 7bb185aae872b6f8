import { setTimeout as delay } from 'node:timers/promises';
import { openStream, type ReceivedEvent } from '../helpers/sse.ts';
import { call, watchUntilKilled } from './client.ts';
import { type FaultDatabase, faultDatabases } from './databases.ts';
import { startProviders } from './providers.ts';
import { chanceOf, rounds } from './rounds.ts';
import { type Service, startService } from './service.ts';
import { harmOf, type Row } from './table.ts';

const ROUNDS = 6;
const LEASE_SECONDS = 5;
/** From before the turn is recorded until after it has ended. */
const LATEST_KILL_MS = 900;
const PATIENCE_MS = 40_000;

type Providers = Awaited<ReturnType<typeof startProviders>>;

/** Sends the request again until it is answered for good, as a client would. */
async function insist(service: Service, path: string, message: string, key: string) {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const answer = await call(service, 'POST', path, { message }, { 'idempotency-key': key });
    if (answer.status === 201 || Date.now() > deadline) return answer;
    await delay(200);
  }
}

/** Everything that must hold of the turn now; the first thing that does not is named. */
async function check(
  service: Service,
  providers: Providers,
  turns: string,
  message: string,
  seen: readonly ReceivedEvent[],
): Promise<string> {
  const list = (await call(service, 'GET', turns)).body.data;
  if (list.length !== 1)
    return `${list.length === 0 ? 'lost' : 'doubled'}: ${list.length} turns instead of one`;
  const [turn] = list;
  if (turn.message !== message) return 'lost: the message was changed';
  if (turn.status !== 'completed') return `stuck: the turn is ${turn.status}`;
  const { first, last } = providers.asked(message);
  if (first > turn.attempt || last > turn.attempt) {
    return `doubled: the model was asked ${first} and ${last} times in ${turn.attempt} attempts`;
  }
  const project = turns.replace('/turns', '');
  const state = (await call(service, 'GET', `${project}/state`)).body;
  if (state.assumptions.length !== 1)
    return `doubled: ${state.assumptions.length} assumptions instead of one`;
  const replay = await (await openStream(`${service.url}${turns}/1/events`)).all();
  const again = await (await openStream(`${service.url}${turns}/1/events`)).all();
  if (JSON.stringify(replay) !== JSON.stringify(again)) return 'two replays differ';
  if (replay.some(({ id }, index) => index > 0 && id <= (replay[index - 1]?.id ?? 0))) {
    return 'the numbers of the events do not rise';
  }
  if (replay.filter(({ event }) => /^turn\.(completed|failed|cancelled)$/.test(event)).length !== 1) {
    return 'not exactly one last event';
  }
  if (replay.at(-1)?.event !== 'turn.completed') return `the last event is ${replay.at(-1)?.event}`;
  if (turn.attempt > 1)
    return seen.some(({ event }) => event === 'turn.completed') ? 'doubled: a completed turn ran again' : '';
  // it had ended before the server was killed: what was seen is what is told, but what was not yet stored
  const told = new Map(replay.map((event) => [event.id, JSON.stringify(event)]));
  const changed = seen.find((event) => told.has(event.id) && told.get(event.id) !== JSON.stringify(event));
  return changed ? `event ${changed.id} was ${changed.event} when it was seen` : '';
}

async function round(
  db: FaultDatabase,
  providers: Providers,
  number: number,
  service: Service,
  start: () => Promise<Service>,
): Promise<{ row: Row; service: Service }> {
  const project = `faults-${number}`;
  const turns = `/projects/${project}/turns`;
  const message = `Round ${db.kind} ${number}: remember this sentence.`;
  const key = `round-${number}`;
  await call(service, 'POST', '/projects', { id: project, name: project });
  // the first rounds fall where it matters most, the others anywhere
  const killAfterMs =
    [0, 60, 150, 300, 600][number - 1] ?? chanceOf(`turns ${db.kind}`, number).below(LATEST_KILL_MS);
  const seen = await watchUntilKilled(
    service,
    turns,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ message }),
    },
    killAfterMs,
  );
  const began = Date.now();
  const restarted = await start();
  const startMs = Date.now() - began;
  const kept = (await call(restarted, 'GET', turns)).body.data;
  const answer = await insist(restarted, turns, message, key);
  const lost = seen.length > 0 && kept.length === 0 ? 'lost: an acknowledged message' : '';
  const unanswered =
    answer.status === 201 ? '' : `stuck: the message was not answered: ${JSON.stringify(answer.body)}`;
  const failed = lost || unanswered || (await check(restarted, providers, turns, message, seen));
  const { first, last } = providers.asked(message);
  const row: Row = {
    database: db.kind,
    round: number,
    fault: 'killed in a turn',
    killed_ms: killAfterMs,
    seen: seen.at(-1)?.event ?? 'nothing',
    found: kept[0] ? `${kept[0].status}` : 'no turn',
    attempts: answer.body.attempt ?? 0,
    asked: `${first}+${last}`,
    start_ms: startMs,
    recovery_ms: Date.now() - began - startMs,
    harm: harmOf(failed),
    failed: failed === '' ? '' : `${db.kind} round ${number}, killed after ${killAfterMs} ms: ${failed}`,
  };
  return { row, service: restarted };
}

/** Kills the service at random points of turns, and looks at what is left when it is back. */
export async function breakTurns(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const open of faultDatabases()) {
    const db = await open();
    const providers = await startProviders();
    const settings = {
      ...db.settings,
      ...providers.settings,
      TURN_LEASE_SECONDS: String(LEASE_SECONDS),
    };
    const start = () => startService(settings);
    let service = await start();
    try {
      for (const number of rounds(ROUNDS)) {
        const outcome = await round(db, providers, number, service, start);
        rows.push(outcome.row);
        service = outcome.service;
      }
      const ready = await call(service, 'GET', '/readyz');
      if (ready.status !== 200)
        rows.push({ database: db.kind, failed: 'the service is not ready in the end' });
    } finally {
      await service.stop();
      await providers.close();
      await db.remove();
    }
  }
  return rows;
}
