import type { Database } from '../../db/database.ts';
import { JOB_KINDS, type QueueFigures, readQueueFigures } from '../../db/jobs.ts';
import type { Figures, Sample } from '../../telemetry/metrics/figures.ts';
import { within } from '../../within.ts';

/** The queue is read for all who scrape within this time, so that they cost the database nothing to speak of. */
const KEPT_MS = 5_000;
/** How long its answer is waited for; Prometheus itself gives up after ten seconds. */
const ANSWER_MS = 2_000;

export interface QueueReading {
  keptMs?: number;
  answerMs?: number;
}

type KindFigures = Omit<QueueFigures, 'last_error'>;
const NONE = { waiting: 0, failing: 0, running: 0, oldest_waiting_seconds: 0 };

/** Also of the kinds of which there is no job. */
const ofAllKinds = (figures: readonly QueueFigures[]): KindFigures[] =>
  JOB_KINDS.map((kind) => figures.find((each) => each.kind === kind) ?? { kind, ...NONE });

/** Reads the queue, one question at a time: null when the database fails or says nothing. */
function createQueueReader(db: Database, { keptMs = KEPT_MS, answerMs = ANSWER_MS }: QueueReading) {
  let asked: Promise<KindFigures[] | null> | undefined;
  let known: { figures: KindFigures[] | null; until: number } | undefined;

  async function ask(): Promise<KindFigures[] | null> {
    const figures = await readQueueFigures(db).then(ofAllKinds, () => null);
    known = { figures, until: performance.now() + keptMs };
    asked = undefined;
    return figures;
  }
  return async (): Promise<KindFigures[] | null> => {
    if (known && performance.now() < known.until) return known.figures;
    asked ??= ask();
    return within(asked, answerMs, null);
  };
}

const samplesOf = ({ kind, waiting, failing, running }: KindFigures): Sample[] =>
  Object.entries({ waiting: waiting - failing, retrying: failing, running }).map(([state, value]) => ({
    labels: { kind, state },
    value,
  }));

/**
 * How the queue of all processes stands, and whether the database tells: a scrape succeeds without it. Every process tells
 * the same, so that the largest counts and not the sum.
 */
export function addQueueFigures(figures: Figures, db: Database, reading: QueueReading = {}): void {
  const read = createQueueReader(db, reading);
  figures.gauge({
    name: 'forge_database_up',
    help: 'Whether the database answers this process.',
    read: async () => [{ value: (await read()) === null ? 0 : 1 }],
  });
  figures.gauge({
    name: 'forge_queue_jobs',
    help: 'Jobs of all processes: waiting, retrying (waiting after an attempt that failed), running.',
    labelNames: ['kind', 'state'],
    read: async () => ((await read()) ?? []).flatMap(samplesOf),
  });
  figures.gauge({
    name: 'forge_queue_oldest_seconds',
    help: 'How long the job that is due longest has waited.',
    labelNames: ['kind'],
    read: async () =>
      ((await read()) ?? []).map((queue) => ({
        labels: { kind: queue.kind },
        value: queue.oldest_waiting_seconds,
      })),
  });
}
