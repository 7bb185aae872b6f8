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
const STEP_MS = 100;
/** From before the run is recorded until after it has ended. */
const LATEST_KILL_MS = 500;
const PATIENCE_MS = 40_000;
const ENDS = /^run\.(completed|needs_clarification|step_limit_reached|failed|cancelled)$/;

/** Two calls of the model: a tool, then the answer. */
const startModel = () =>
  startProviders(async (request) => {
    await delay(STEP_MS);
    return JSON.stringify(request.messages.at(-1)).includes('"tool_result"')
      ? { text: ['There ', 'are ', 'no ', 'files.'] }
      : { text: 'I look.', toolCalls: [{ name: 'list_project_files', input: {} }] };
  });

/** Sends the question again until it is answered for good, as a client would. */
async function insist(service: Service, path: string, question: string, key: string) {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const answer = await call(service, 'POST', path, { question }, { 'idempotency-key': key });
    if (answer.status === 201 || Date.now() > deadline) return answer;
    await delay(200);
  }
}

/** Everything that must hold of the run now; the first thing that does not is named. */
async function check(service: Service, runs: string, seen: readonly ReceivedEvent[]): Promise<string> {
  const list = (await call(service, 'GET', runs)).body.data;
  if (list.length !== 1)
    return `${list.length === 0 ? 'lost' : 'doubled'}: ${list.length} runs instead of one`;
  const [run] = list;
  if (run.status !== 'completed') return `stuck: the run is ${run.status}`;
  if (run.steps.length !== 1) return `doubled: ${run.steps.length} steps instead of one`;
  const replay = await (await openStream(`${service.url}${runs}/${run.id}/events`)).all();
  const again = await (await openStream(`${service.url}${runs}/${run.id}/events`)).all();
  if (JSON.stringify(replay) !== JSON.stringify(again)) return 'two replays differ';
  if (replay.filter(({ event }) => ENDS.test(event)).length !== 1) return 'not exactly one last event';
  if (replay.at(-1)?.event !== 'run.completed') return `the last event is ${replay.at(-1)?.event}`;
  const wasCompleted = seen.some(({ event }) => event === 'run.completed');
  return run.attempt > 1 && wasCompleted ? 'doubled: a completed run went on again' : '';
}

async function round(
  db: FaultDatabase,
  number: number,
  service: Service,
  start: () => Promise<Service>,
): Promise<{ row: Row; service: Service }> {
  const project = `faults-${number}`;
  const runs = `/projects/${project}/research`;
  const question = `Round ${db.kind} ${number}: which files are there?`;
  const key = `round-${number}`;
  await call(service, 'POST', '/projects', { id: project, name: project });
  const killAfterMs =
    [0, 60, 150, 250, 400][number - 1] ?? chanceOf(`research ${db.kind}`, number).below(LATEST_KILL_MS);
  const request = {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ question }),
  };
  const seen = await watchUntilKilled(service, runs, request, killAfterMs);
  const restarted = await start();
  const kept = (await call(restarted, 'GET', runs)).body.data;
  const answer = await insist(restarted, runs, question, key);
  const lost = seen.length > 0 && kept.length === 0 ? 'lost: an acknowledged question' : '';
  const unanswered =
    answer.status === 201 ? '' : `stuck: it was not answered: ${JSON.stringify(answer.body)}`;
  const failed = lost || unanswered || (await check(restarted, runs, seen));
  const row: Row = {
    database: db.kind,
    round: number,
    fault: 'killed in research',
    killed_ms: killAfterMs,
    seen: seen.at(-1)?.event ?? 'nothing',
    found: kept[0] ? `${kept[0].status}` : 'no run',
    attempts: answer.body.attempt ?? 0,
    harm: harmOf(failed),
    failed: failed === '' ? '' : `${db.kind} round ${number}, killed after ${killAfterMs} ms: ${failed}`,
  };
  return { row, service: restarted };
}

/** Kills the service at random points of research runs, and looks at what is left when it is back. */
export async function breakResearch(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const open of faultDatabases()) {
    const db = await open();
    const providers = await startModel();
    const settings = { ...db.settings, ...providers.settings, TURN_LEASE_SECONDS: String(LEASE_SECONDS) };
    const start = () => startService(settings);
    let service = await start();
    try {
      for (const number of rounds(ROUNDS)) {
        const outcome = await round(db, number, service, start);
        rows.push(outcome.row);
        service = outcome.service;
      }
    } finally {
      await service.stop();
      await providers.close();
      await db.remove();
    }
  }
  return rows;
}
