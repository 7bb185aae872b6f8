import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  compiled,
  installNodeTools,
  pythonSteps,
  type Step,
  TYPESCRIPT_GENERATORS,
  typeScriptSteps,
} from '../../scripts/generators.ts';
import { run } from '../../scripts/run.ts';
import { packageRoot } from '../../src/package-root.ts';
import { startService } from '../faults/service.ts';

const TOOLS = [...TYPESCRIPT_GENERATORS, 'openapi-fetch@0.17.0', '@types/node@20.19.43'];
const OWN = join(packageRoot, 'test', 'clients', 'generated');
const KEY = 'forge-clients-0123456789-0123456789-0123456789';
/** What comes of it with each of them. */
const EXPECTED = {
  uploaded: 'completed',
  listed: ['notes.md'],
  found: ['notes.md'],
  turn: 'completed',
  replied: true,
  refused: 'project_not_found',
};

/** How a thing is tried; its problem, empty where there is none. */
export interface Trial {
  name: string;
  try: () => Promise<string>;
}

/** A program that has to end well. */
export const trialOf = ({ name, command, args }: Step, cwd: string, env?: NodeJS.ProcessEnv): Trial => ({
  name,
  try: async () => {
    const { code, output } = await run(command, args, { cwd, ...(env && { env }) });
    return code === 0 ? '' : `it ended with ${code}: ${output.slice(-8_000)}`;
  },
});

/** A client of others, generated from the contract, makes a project and works in it. */
function liveTrial(project: string, url: string, [command = '', ...args]: string[]): Trial {
  return {
    name: `${args.at(-1)?.split('/').at(-1)} against a service`,
    try: async () => {
      const { code, output } = await run(command, [...args, url, KEY, project], { cwd: packageRoot });
      const expected = JSON.stringify({ project, ...EXPECTED });
      const done = output.trim().split('\n').at(-1) ?? '';
      const isAsExpected = code === 0 && JSON.stringify(JSON.parse(done)) === expected;
      return isAsExpected
        ? ''
        : `it ended with ${code}, and did other than ${expected}: ${output.slice(-4_000)}`;
    },
  };
}

/**
 * Clients that integrators generate from the contract, at work: a project, an upload, a list, a search, a turn and a refusal with each.
 *
 * @param judge tries one after another
 */
export async function tryGeneratedClients(judge: (trial: Trial) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'forge-generated-'));
  try {
    await installNodeTools(folder, TOOLS);
    const drivers = ['openapi-fetch.ts', 'hey-api.ts', 'openapi_python_client.py'];
    for (const name of drivers) await copyFile(join(OWN, name), join(folder, name));
    const python = await pythonSteps(folder);
    if ('missing' in python) throw new Error(python.missing);
    const steps = [
      ...typeScriptSteps(folder),
      compiled(folder, 'what is done with them', ['openapi-fetch.ts', 'hey-api.ts', '--types', 'node']),
      ...python.steps,
    ];
    for (const step of steps) await judge(trialOf(step, folder));
    const service = await startService({ DATA_DIR: join(folder, 'data'), FORGE_ADMIN_KEY: KEY });
    try {
      const withTypes = [process.execPath, '--import', 'tsx'];
      for (const [at, name] of drivers.entries()) {
        const interpreter = name.endsWith('.py') ? [python.python] : withTypes;
        await judge(liveTrial(`generated-${at}`, service.url, [...interpreter, join(folder, name)]));
      }
    } finally {
      await service.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
