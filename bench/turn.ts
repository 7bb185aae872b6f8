import { readConfig } from '../src/config.ts';
import type { Database, Queryable } from '../src/db/database.ts';
import { createAnthropicModel } from '../src/llm/anthropic.ts';
import type { LanguageModel } from '../src/llm/model.ts';
import { startFakeAnthropic } from '../test/fakes/anthropic-server.ts';
import { createFakeEmbeddingModel } from '../test/fakes/embedding-model.ts';
import { benchTargets, withBenchDatabase } from './bench-database.ts';
import { type BenchService, startService } from './bench-service.ts';
import { type Percentiles, percentilesOf } from './percentiles.ts';
import { SESSION_MESSAGES, SESSION_STATE, sessionFiles } from './session.ts';

// code that has run a hundred times is compiled another way than code that has run once
const WARM_UP_SESSIONS = 3;
const SESSIONS = 5;
const GOALS_MS: Record<Database['kind'], number> = { server: 25, embedded: 60 };

const ROUTE = {
  next_probe: 'stakeholder-mapping',
  triggered_patterns: ['hidden-stakeholder-conflict'],
  active_mode: 'discovery',
  action: 'probe',
  requires_retrieval: true,
  relevant_files: [],
  reason: 'Several people are named.',
};
const REGISTER = {
  name: 'register_assumption',
  input: { statement: 'The CFO can approve it alone', confidence: 'guessed', impact: 'high' },
};
const ANSWER =
  'The documents say so [1], and give a second figure elsewhere [2]. Who decides on it, and who would rather keep things as they are? What would have to be true by June?';

/** One line of the result: milliseconds of what. */
export interface TurnBenchRow extends Percentiles {
  database: Database['kind'];
  what: string;
}

/** A model whose calls are timed. */
function timed(model: LanguageModel, clock: { ms: number }): LanguageModel {
  return {
    ...model,
    async generate(request) {
      const from = performance.now();
      try {
        return await model.generate(request);
      } finally {
        clock.ms += performance.now() - from;
      }
    },
  };
}

/** A database that counts its statements. */
function counted(db: Database, counter: { statements: number }): Database {
  const counting = (queryable: Queryable): Queryable => ({
    query: (sql, params) => {
      counter.statements += 1;
      return queryable.query(sql, params);
    },
  });
  return {
    ...db,
    ...counting(db),
    transaction: (work) => {
      counter.statements += 2;
      return db.transaction((tx) => work(counting(tx)));
    },
  };
}

async function measure(db: Database): Promise<TurnBenchRow[]> {
  let call = 0;
  const anthropic = await startFakeAnthropic({
    reply: (request) => {
      if (request.output_config?.format !== undefined) return { json: ROUTE };
      if (!request.tools)
        return { text: 'The user asked for a figure; the copilot gave it and asked who decides.' };
      // every third turn changes the state, in a round of its own
      return call++ % 4 === 0 ? { toolCalls: [REGISTER] } : { text: ANSWER };
    },
  });
  const counter = { statements: 0 };
  const clock = { ms: 0 };
  const model = (name: string) =>
    timed(createAnthropicModel({ apiKey: 'test-key', baseUrl: anthropic.url, model: name }), clock);
  const config = readConfig({});
  const service = await startService(
    counted(db, counter),
    {},
    {
      embeddingModel: createFakeEmbeddingModel(),
      answerModel: model(config.MODEL_NAME),
      smallModel: model(config.ROUTER_MODEL),
    },
  );
  try {
    for (let session = 0; session < WARM_UP_SESSIONS; session++)
      await runSession(service, `warm-${session}`, clock, counter);
    const all: Sample[] = [];
    for (let session = 0; session < SESSIONS; session++)
      all.push(...(await runSession(service, `s-${session}`, clock, counter)));
    const row = (what: string, values: number[]): TurnBenchRow => ({
      database: db.kind,
      what,
      ...percentilesOf(values),
    });
    const steps = ['route', 'retrieve', 'assemble', 'answer'];
    return [
      row(
        'all but model calls',
        all.map(({ total, models }) => total - models),
      ),
      row(
        'all, models answering at once',
        all.map(({ total }) => total),
      ),
      ...steps.map((step) =>
        row(
          `  ${step}`,
          all.map(({ timings }) => timings[step] ?? 0),
        ),
      ),
      row(
        '  statements (number)',
        all.map(({ statements }) => statements),
      ),
    ];
  } finally {
    await service.close();
    await anthropic.close();
  }
}

interface Sample {
  total: number;
  models: number;
  statements: number;
  timings: Record<string, number>;
}

async function runSession(
  service: BenchService,
  project: string,
  clock: { ms: number },
  counter: { statements: number },
): Promise<Sample[]> {
  await service.makeProject(project, sessionFiles());
  const samples: Sample[] = [];
  for (const [index, message] of SESSION_MESSAGES.entries()) {
    Object.assign(clock, { ms: 0 });
    Object.assign(counter, { statements: 0 });
    const from = performance.now();
    const turn = await service.say(project, message);
    const total = performance.now() - from;
    samples.push({ total, models: clock.ms, statements: counter.statements, timings: turn.timings_ms });
    // the summary is made off the turn's path: it must not run into the next one
    await service.jobsDone();
    const learned = SESSION_STATE[index + 1];
    if (learned) await service.learn(project, learned);
  }
  return samples;
}

/**
 * A turn through HTTP, from the first byte of the request to the last of the reply, in sessions of thirty turns over
 * twenty files, with a server in Anthropic's place that answers at once, and vectors that take no time: on the embedded
 * database, and on the server of BENCH_DATABASE_URL or TEST_DATABASE_URL where there is one.
 */
export async function runTurnBench(): Promise<TurnBenchRow[]> {
  const rows: TurnBenchRow[] = [];
  for (const url of benchTargets()) {
    const measured = await withBenchDatabase(url, measure);
    for (const { database, what, p50, p95 } of measured) {
      console.log(
        `${database.padEnd(10)}${what.padEnd(32)} p50 ${p50.toFixed(1).padStart(6)}  p95 ${p95.toFixed(1).padStart(6)}`,
      );
    }
    const [first] = measured;
    if (first && first.p95 > GOALS_MS[first.database]) {
      console.log(`${first.database}: the goal is ${GOALS_MS[first.database]} ms at p95`);
      process.exitCode = 1;
    }
    rows.push(...measured);
  }
  return rows;
}
