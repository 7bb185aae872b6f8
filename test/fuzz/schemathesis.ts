import { createReadStream, existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pythonEnvironment } from '../../scripts/python.ts';
import { run } from '../../scripts/run.ts';
import { packageRoot } from '../../src/package-root.ts';

const VERSION = '4.32.5';
const REQUEST_SECONDS = 60;
/** How much of a run's end is shown when it found something. */
const SHOWN_CHARS = 30_000;

/**
 * The program, installed from the Python package index into a virtual environment (`FUZZ_VENV`, or a folder of the system's
 * for temporary files) unless it is there already; or why there is none.
 */
export async function findSchemathesis(): Promise<{ program: string } | { missing: string }> {
  const folder = process.env.FUZZ_VENV ?? join(tmpdir(), `forge-schemathesis-${VERSION}`);
  const found = await pythonEnvironment(folder, 'schemathesis', [`schemathesis==${VERSION}`]);
  return 'missing' in found ? found : { program: join(found.bin, 'schemathesis') };
}

export interface ContractRun {
  url: string;
  /** Sent with each request; null: the service asks for none. */
  key: string | null;
  seed: number;
  /** For each operation, besides the systematic ones. */
  examples: number;
  seconds: number;
}

interface Recorder {
  label: string;
  interactions?: Record<string, { response?: { status_code: number } | null }>;
  checks?: Record<string, { name: string; status: string }[]>;
}

const TOO_MANY_REQUESTS = 429;

/** What the checks of an operation have found; a guessed key that is not even looked at any more was not accepted. */
function* findingsOf({ label, interactions = {}, checks = {} }: Recorder): Generator<string> {
  for (const [id, results] of Object.entries(checks)) {
    const answered = interactions[id]?.response?.status_code;
    for (const { name, status } of results) {
      if (status !== 'failure' || (name === 'ignored_auth' && answered === TOO_MANY_REQUESTS)) continue;
      yield `${name}: ${label}`;
    }
  }
}

/** What a report says: how many requests were made, and what was found or could not be tried, once each. */
async function readReport(file: string): Promise<{ cases: number; findings: string[] }> {
  let cases = 0;
  const findings = new Set<string>();
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const event = JSON.parse(line);
    if (event.NonFatalError) {
      findings.add(`not tried: ${event.NonFatalError.label}: ${event.NonFatalError.value?.message}`);
    }
    const recorder: Recorder | undefined = event.ScenarioFinished?.recorder;
    if (recorder === undefined) continue;
    cases += Object.keys(recorder.interactions ?? {}).length;
    for (const finding of findingsOf(recorder)) findings.add(finding);
  }
  return { cases, findings: [...findings] };
}

/**
 * The checks of refusals are for a service that asks for keys, as the contract has it: to the tool's own list come a
 * precondition that is none (412), too much of a body (413) or of a path or header (431), and a range that is none (416).
 */
const KEYED = `
[checks.negative_data_rejection]
expected-statuses = [400, 401, 403, 404, 405, 406, 409, 412, 413, 415, 416, 422, 428, 429, 431, 503]
`;
const KEYLESS = ['ignored_auth', 'missing_required_header', 'negative_data_rejection']
  .map((check) => `\n[checks.${check}]\nenabled = false\n`)
  .join('');
/** The first key that is made would have the service ask for one. */
const KEYLESS_ARGS = ['--exclude-name', 'POST /keys'];

/** Fuzzes a service from its own contract, with every check that applies; `output` is what the program says. */
export async function fuzzContract(program: string, { url, key, seed, examples, seconds }: ContractRun) {
  const folder = await mkdtemp(join(tmpdir(), 'forge-fuzz-'));
  const own = join(packageRoot, 'test', 'fuzz');
  const [settings, report] = [join(folder, 'schemathesis.toml'), join(folder, 'report.ndjson')];
  const shared = await readFile(join(own, 'schemathesis.toml'), 'utf8');
  await writeFile(settings, shared + (key === null ? KEYLESS : KEYED));
  const args = [
    ...['--config-file', settings, 'run', `${url}/openapi.json`],
    ...['--seed', String(seed), '--max-examples', String(examples), '--max-time', String(seconds)],
    ...[
      '--request-timeout',
      String(REQUEST_SECONDS),
      '--suppress-health-check',
      'all',
      '--continue-on-failure',
    ],
    ...['--report', 'ndjson', '--report-ndjson-path', report, '--no-color'],
    ...(key === null ? KEYLESS_ARGS : ['-H', `Authorization: Bearer ${key}`]),
  ];
  try {
    const env = {
      PATH: process.env.PATH,
      HOME: folder,
      SCHEMATHESIS_HOOKS: join(own, 'hooks.py'),
      // nothing is written beside the hooks
      PYTHONDONTWRITEBYTECODE: '1',
    };
    const { code, output } = await run(program, args, { cwd: folder, env });
    // 1 says that something was found, which the report has
    if ((code !== 0 && code !== 1) || !existsSync(report)) {
      return { cases: 0, findings: [`it ended with ${code}`], output };
    }
    const read = await readReport(report);
    return { cases: read.cases, findings: read.findings, output: output.slice(-SHOWN_CHARS) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
