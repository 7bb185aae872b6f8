import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { packageRoot } from '../../src/package-root.ts';
import { type FaultDatabase, faultDatabases } from '../faults/databases.ts';
import { type Service, startService } from '../faults/service.ts';
import { formatTable, type Row, say } from '../faults/table.ts';
import { addContent } from './content.ts';
import { findSchemathesis, fuzzContract } from './schemathesis.ts';
import { fuzzSockets } from './sockets.ts';

// npm run test:fuzz [-- contract|sockets --cases N --minutes N --seed N --first N]: hostile requests, made from the contract by
// Schemathesis and as bytes on connections, to services on the embedded database and the server of TEST_DATABASE_URL. Cases and
// minutes are for each of the parts.

const ADMIN_KEY = 'forge-fuzz-0123456789-0123456789-0123456789';

interface Bounds {
  cases: number;
  seconds: number;
  seed: number;
  first: number;
}

type Outcome = { cases: number; findings: string[]; output?: string; statuses?: Map<number, number> };

async function tryPart(
  name: string,
  database: FaultDatabase,
  key: string | null,
  part: (service: Service) => Promise<Outcome>,
): Promise<Row> {
  const service = await startService({
    ...database.settings,
    ...(key !== null && { FORGE_ADMIN_KEY: key }),
  });
  try {
    await addContent(service, key);
    const { cases, findings, output = '', statuses } = await part(service);
    const alive = await fetch(`${service.url}/readyz`).then(
      ({ status }) => status,
      () => 0,
    );
    const all = alive === 200 ? findings : [...findings, `/readyz answers ${alive} in the end`];
    if (all.length > 0 && output !== '') say(output);
    for (const finding of all) say(`  FOUND: ${finding}`);
    if (statuses)
      say(
        `  answers: ${[...statuses]
          .sort(([a], [b]) => a - b)
          .map((pair) => pair.join(': '))
          .join(', ')}`,
      );
    return {
      part: name,
      database: database.kind,
      keys: key === null ? 'none' : 'asked for',
      cases,
      found: all.length,
      failed: all.join('\n'),
    };
  } finally {
    await service.stop();
  }
}

/** Of the contract: the cases are shared among them. */
function countOperations(): number {
  const contract = JSON.parse(readFileSync(join(packageRoot, 'openapi', 'openapi.json'), 'utf8'));
  return Object.values<object>(contract.paths).reduce((sum, methods) => sum + Object.keys(methods).length, 0);
}

type Part = (database: FaultDatabase, bounds: Bounds) => Promise<Row>;

const contract =
  (key: string | null): Part =>
  async (database, { cases, seconds, seed }) => {
    const found = await findSchemathesis();
    if ('missing' in found) {
      return { part: 'contract', database: database.kind, skipped: found.missing, failed: '' };
    }
    const examples = Math.max(1, Math.ceil(cases / countOperations()));
    return tryPart('contract', database, key, ({ url }) =>
      fuzzContract(found.program, { url, key, seed, examples, seconds }),
    );
  };

const sockets: Part = (database, bounds) =>
  tryPart('sockets', database, null, (service) => fuzzSockets(service, bounds));

const PARTS: Record<string, readonly Part[]> = {
  sockets: [sockets],
  contract: [contract(null), contract(ADMIN_KEY)],
};

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      cases: { type: 'string', default: '1000' },
      minutes: { type: 'string', default: '4' },
      seed: { type: 'string', default: String(randomInt(1_000_000)) },
      first: { type: 'string', default: '0' },
    },
  });
  const bounds = {
    cases: Number(values.cases),
    seconds: Number(values.minutes) * 60,
    seed: Number(values.seed),
    first: Number(values.first),
  };
  say(`--cases ${bounds.cases} --minutes ${values.minutes} --seed ${bounds.seed}`);
  const names = positionals.length > 0 ? positionals : Object.keys(PARTS);
  const rows: Row[] = [];
  for (const open of faultDatabases()) {
    for (const part of names.flatMap((name) => PARTS[name] ?? [])) {
      const database = await open();
      try {
        rows.push(await part(database, bounds));
      } finally {
        await database.remove();
      }
    }
  }
  say(`\n${formatTable(rows)}\n`);
  return rows.every(({ failed }) => failed === '') ? 0 : 1;
}

process.exit(await main());
