import { type SpawnOptions, spawn } from 'node:child_process';
import { createReadStream, existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { packageRoot } from '../../src/package-root.ts';

const VERSION = '4.32.5';
const REQUEST_SECONDS = 60;
/** How much of a run's end is shown when it found something. */
const SHOWN_CHARS = 30_000;

/** Runs a program; what it prints, and how it ended: null when it is not there. */
function run(
  program: string,
  args: string[],
  options: SpawnOptions = {},
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    const kill = (): void => void child.kill('SIGKILL');
    process.once('exit', kill);
    const output: string[] = [];
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => output.push(text));
    }
    child.once('error', () => resolve({ code: null, output: '' }));
    child.once('close', (code) => {
      process.off('exit', kill);
      resolve({ code: code ?? 1, output: output.join('') });
    });
  });
}

/**
 * The program, installed from the Python package index into a virtual environment (`FUZZ_VENV`, or a folder of the system's
 * for temporary files) unless it is there already; or why there is none.
 */
export async function findSchemathesis(): Promise<{ program: string } | { missing: string }> {
  const folder = process.env.FUZZ_VENV ?? join(tmpdir(), `forge-schemathesis-${VERSION}`);
  const program = join(folder, 'bin', 'schemathesis');
  if (existsSync(program)) return { program };
  const made = await run('python3', ['-m', 'venv', folder]);
  if (made.code === null) return { missing: 'Python is not installed' };
  if (made.code !== 0) return { missing: 'Python has no module venv' };
  const python = join(folder, 'bin', 'python');
  const installed = await run(python, ['-m', 'pip', 'install', '--quiet', `schemathesis==${VERSION}`]);
  if (installed.code === 0) return { program };
  return { missing: `schemathesis ${VERSION} could not be installed: ${installed.output.slice(-300)}` };
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

interface Finding {
  check: string;
  operation: string;
}

/** What a report says: how many requests were made, and what was found, once each. */
async function readReport(file: string): Promise<{ cases: number; findings: string[] }> {
  let cases = 0;
  const findings = new Map<string, Finding>();
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const { recorder } = JSON.parse(line).ScenarioFinished ?? {};
    if (recorder === undefined) continue;
    cases += Object.keys(recorder.interactions ?? {}).length;
    for (const checks of Object.values<{ name: string; status: string }[]>(recorder.checks ?? {})) {
      for (const { name, status } of checks) {
        if (status === 'failure')
          findings.set(`${name}: ${recorder.label}`, { check: name, operation: recorder.label });
      }
    }
  }
  return { cases, findings: [...findings.keys()] };
}

/** Fuzzes a service from its own contract, with every check that applies; `output` is what the program says. */
export async function fuzzContract(program: string, { url, key, seed, examples, seconds }: ContractRun) {
  const folder = await mkdtemp(join(tmpdir(), 'forge-fuzz-'));
  const report = join(folder, 'report.ndjson');
  const own = join(packageRoot, 'test', 'fuzz');
  const args = [
    ...['--config-file', join(own, 'schemathesis.toml'), 'run', `${url}/openapi.json`],
    ...['--seed', String(seed), '--max-examples', String(examples), '--max-time', String(seconds)],
    ...[
      '--request-timeout',
      String(REQUEST_SECONDS),
      '--suppress-health-check',
      'all',
      '--continue-on-failure',
    ],
    ...['--report', 'ndjson', '--report-ndjson-path', report, '--no-color', '--checks', 'all'],
    // nobody is asked for a key: none is ignored
    ...(key === null
      ? ['--exclude-checks', 'ignored_auth,missing_required_header']
      : ['-H', `Authorization: Bearer ${key}`]),
  ];
  try {
    const env = { PATH: process.env.PATH, HOME: folder, SCHEMATHESIS_HOOKS: join(own, 'hooks.py') };
    const { code, output } = await run(program, args, { cwd: folder, env });
    if (!existsSync(report)) return { cases: 0, findings: [`it did not run (${code})`], output };
    const read = await readReport(report);
    const errors = /(\d+) errors?\b/.exec(output)?.[0];
    // what it could not do is not passed over
    const findings =
      code === 0 || read.findings.length > 0 ? read.findings : [errors ?? `it ended with ${code}`];
    return { cases: read.cases, findings, output: output.slice(-SHOWN_CHARS) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
