import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { faultDatabases } from '../faults/databases.ts';
import { startProviders } from '../faults/providers.ts';
import { formatTable, say } from '../faults/table.ts';
import { createRandom } from '../helpers/random.ts';
import { createSoakClient, type SoakClient } from './client.ts';
import { type Sample, type SoakService, startSoakService } from './service.ts';
import { act, beginAnew, leaveMcp, type Visitor } from './traffic.ts';
import { judge } from './verdict.ts';

// npm run test:soak [-- --minutes 20 --visitors 4 --seed N --keyless]: mixed traffic on the built service, and what it holds in memory
// after each half a minute. On the embedded database, or on the server of TEST_DATABASE_URL. Models are
// servers on the loopback interface, or with --keyless the ones that need no key.

const SAMPLE_MS = 30_000;
/** Sessions of MCP that nobody ends are kept until there are so many; the place for them is filled before it is measured. */
const MCP_SESSIONS = 200;
/** A trend needs some measurements after the warm-up. */
const LEAST_MINUTES = 3;
/** What is kept to be used again fills, code is compiled, pools grow: the first part of the time is not judged. */
const WARM_UP = 0.25;
const RESULTS = process.env.SOAK_OUT ?? join(tmpdir(), 'forge-soak');

/** Lets visitors act, or has them stand still. */
function createFloor(visitors: readonly Visitor[]) {
  let done = 0;
  const problems: string[] = [];
  async function actUntil(visitor: Visitor, end: number): Promise<void> {
    while (Date.now() < end && problems.length === 0) {
      await act(visitor).catch((error: unknown) => problems.push(String(error)));
      done += 1;
    }
  }
  return {
    actUntil: (end: number) => Promise.all(visitors.map((visitor) => actUntil(visitor, end))),
    acts: () => done,
    problems,
  };
}

/** Leaves as many sessions of MCP behind as there is room for. */
async function fillSessions(visitors: readonly Visitor[]): Promise<void> {
  await Promise.all(
    visitors.map(async (visitor) => {
      for (let session = 0; session * visitors.length < MCP_SESSIONS; session++) await leaveMcp(visitor);
    }),
  );
}

async function soak(
  service: SoakService,
  client: SoakClient,
  options: { minutes: number; visitors: number; seed: number },
) {
  const visitors = Array.from({ length: options.visitors }, (_, number) => ({
    client,
    random: createRandom(options.seed + number),
    project: `soak-${number}`,
  }));
  for (const visitor of visitors) await beginAnew(visitor);
  await fillSessions(visitors);
  const floor = createFloor(visitors);
  const began = Date.now();
  const end = began + options.minutes * 60_000;
  const samples: Sample[] = [];
  while (Date.now() < end && floor.problems.length === 0) {
    await floor.actUntil(Math.min(end, Date.now() + SAMPLE_MS));
    // what ended with the last request is let go of
    await delay(1_000);
    const sample = await service.sample();
    samples.push({ ...sample, minute: (Date.now() - began) / 60_000, acts: floor.acts() });
    say(`  ${service.show(samples.at(-1))}`);
  }
  return { samples, problems: [...floor.problems, ...service.problems()] };
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '20' },
      visitors: { type: 'string', default: '4' },
      keyless: { type: 'boolean', default: false },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    },
  });
  const [minutes, visitors, seed] = [
    Math.max(LEAST_MINUTES, Number(values.minutes)),
    Number(values.visitors),
    Number(values.seed),
  ];
  const database = await (faultDatabases().at(-1) as ReturnType<typeof faultDatabases>[number])();
  say(`soak on ${database.kind} for ${minutes} minutes, ${visitors} visitors, --seed ${seed}`);
  const providers = values.keyless ? null : await startProviders();
  const service = await startSoakService(database, providers?.settings ?? {});
  const client = createSoakClient(service.url);
  try {
    const { samples, problems } = await soak(service, client, { minutes, visitors, seed });
    for (const problem of problems) say(`FAILED: ${problem}`);
    if (problems.length > 0) return 1;
    const rows = judge(samples.filter(({ minute }) => minute >= minutes * WARM_UP));
    say(`\n${formatTable(rows)}`);
    say(
      `answers: ${[...client.answers]
        .sort(([a], [b]) => a - b)
        .map(([status, n]) => `${status}: ${n}`)
        .join(', ')}`,
    );
    await mkdir(RESULTS, { recursive: true });
    await writeFile(
      join(RESULTS, `${database.kind}.json`),
      `${JSON.stringify({ seed, samples, rows }, null, 2)}\n`,
    );
    return rows.every(({ failed }) => failed === '') ? 0 : 1;
  } finally {
    await service.stop();
    await providers?.close();
    await database.remove();
  }
}

process.exit(await main());
