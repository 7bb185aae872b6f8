import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { runForge } from '../helpers/command-line.ts';
import { startKeyedApp } from '../helpers/keyed-app.ts';

// What the command line refuses, how it ends then, and what it says of itself.

let forge: TestApp;
let url: string;
let folder: string;
const run = (...args: string[]) => runForge(args, { url });
beforeAll(async () => {
  forge = await startTestApp();
  url = await forge.app.listen({ host: '127.0.0.1', port: 0 });
  folder = await mkdtemp(join(tmpdir(), 'forge-cli-'));
  await writeFile(join(folder, 'plan.md'), '# Plan\n');
});
afterAll(async () => {
  await forge.close();
  await rm(folder, { recursive: true });
});

describe('what is wrong', () => {
  it.each<[string, string[], number, RegExp]>([
    ['no command that there is', ['reindx'], 2, /unknown command 'reindx'[\s\S]*reindex/],
    ['an option that there is not', ['list', '--stats', 'x'], 2, /unknown option '--stats'/],
    ['too many arguments', ['outline', 'a.md', 'b.md'], 2, /too many arguments/],
    ['a number that is none', ['search', 'x', '--limit', 'many'], 2, /whole number/],
    ['a choice that there is not', ['search', 'x', '--mode', 'best'], 2, /Allowed choices/],
    ['no project', ['turn', 'hi'], 2, /--project/],
    ['a project and the library', ['list', '-p', 'x', '--library'], 2, /cannot be used with/],
    ['a project that is not there', ['list', '-p', 'nowhere'], 3, /project_not_found/],
    ['a file that is not on disk', ['ingest', '/nowhere/at/all.md', '-p', 'x'], 2, /cannot be read/],
    ['a message that is empty', ['turn', ' ', '-p', 'refusing'], 4, /invalid_request/],
  ])('ends with its code and says what to do: %s', async (_, args, code, words) => {
    await run('projects', 'create', 'Refusing', '--id', 'refusing');
    const result = await run(...args);
    expect(result.stderr).toMatch(words);
    expect(result).toMatchObject({ code, stdout: '' });
  });

  it('is a setting: all of them are named', async () => {
    for (const command of ['list', 'migrate', 'doctor']) {
      const { code, stdout, stderr } = await runForge([command], { settings: { PORT: 'abc' } });
      expect(`${stdout}${stderr}`).toContain('PORT');
      expect(code).toBe(command === 'doctor' ? 1 : 2);
    }
  });

  it('is an identity provider that cannot be reached', async () => {
    const settings = {
      OIDC_ISSUER: 'http://127.0.0.1:1/',
      OIDC_AUDIENCE: 'forge',
      DATA_DIR: join(folder, 'data'),
    };
    const { code, stdout } = await runForge(['doctor'], { settings });
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^wrong +identity provider: http:\/\/127\.0\.0\.1:1\/: its discovery document cannot be had/m,
    );
    expect(stdout).toContain('answered with 503; API keys go on');
  });

  it('is two files that would have one name', async () => {
    const path = join(folder, 'plan.md');
    const { code, stderr } = await run('ingest', path, path, '-p', 'refusing');
    expect(code).toBe(2);
    expect(stderr).toContain('would both be stored as');
  });

  it('is told from the service when that is not there, or is none of ours', async () => {
    expect(await runForge(['list'], { url: 'http://127.0.0.1:1' })).toMatchObject({ code: 5 });
    expect(await runForge(['list'], { url: 'ftp://x' })).toMatchObject({ code: 2 });
    const health = await runForge(['doctor'], { url });
    expect(health).toMatchObject({ code: 0 });
    expect(health.stdout).toMatch(/^ok +service: .* runs Forge/m);
  });
});

describe('help', () => {
  it.each([
    'serve',
    'ingest',
    'search',
    'list',
    'delete',
    'turn',
    'chat',
    'outline',
    'show',
    'migrate',
    'reindex',
    'usage',
    'cache',
    'openapi',
    'doctor',
    'mcp',
    'completion',
  ])('is given for %s, which does nothing then', async (command) => {
    const { code, stdout } = await run(command, '--help');
    expect(code).toBe(0);
    expect(stdout).toContain(`Usage: forge ${command}`);
  });

  it('names the version, and every command', async () => {
    expect(await run('--version')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
    expect((await run('--help')).stdout).toContain('Exit codes: 0 done');
  });
});

it('cancels a turn by Ctrl-C, keeps what it has said, and ends with a code of its own', async () => {
  const keyed = await startKeyedApp(() => ({ text: ['Half an '], ending: 'silence' }));
  const address = await keyed.forge.app.listen({ host: '127.0.0.1', port: 0 });
  const { code, stdout, stderr } = await runForge(['turn', 'Who decides?', '--project', 'p'], {
    url: address,
    onOutput: (text, stop) => text.includes('Half') && stop(),
  });
  expect({ code, stdout }).toEqual({ code: 130, stdout: 'Half an \n' });
  expect(stderr).toContain('Cancelled');
  expect((await keyed.forge.call('GET', '/projects/p/turns/1')).body).toMatchObject({
    status: 'cancelled',
    response: 'Half an ',
  });
  await keyed.close();
});
