import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { runForge } from '../helpers/command-line.ts';

// The command line against a service, as a shell would use it.

let forge: TestApp;
let url: string;
let folder: string;
const run = (...args: string[]) => runForge(args, { url });
beforeAll(async () => {
  forge = await startTestApp();
  url = await forge.app.listen({ host: '127.0.0.1', port: 0 });
  folder = await mkdtemp(join(tmpdir(), 'forge-cli-'));
  await mkdir(join(folder, 'deeper', '.hidden'), { recursive: true });
  await writeFile(
    join(folder, 'plan.md'),
    '# Plan\n\n## Budget\n\nDana Reyes signs the budget of 40,000 euros.\n',
  );
  await writeFile(join(folder, 'deeper', 'notes.md'), '# Notes\n\nThe pilot starts on 4 March.\n');
  await writeFile(join(folder, 'deeper', '.hidden', 'secret.md'), '# Hidden\n');
  await writeFile(join(folder, 'empty.docx'), 'not a document');
});
afterAll(async () => {
  await forge.close();
  await rm(folder, { recursive: true });
});

describe('projects and files', () => {
  it('goes from an empty service to an answer', async () => {
    expect(await run('projects', 'create', 'Road', 'map', '--id', 'road')).toMatchObject({
      code: 0,
      stdout: 'road\n',
    });

    const ingested = await run(
      'ingest',
      join(folder, 'plan.md'),
      join(folder, 'deeper'),
      '--project',
      'road',
    );
    expect(ingested).toMatchObject({ code: 0 });
    expect(ingested.stdout).toMatch(/^plan\.md: searchable, version 1, \d+ leaves/m);
    expect(ingested.stdout).toMatch(/^notes\.md: searchable/m);
    expect(ingested.stdout).not.toContain('secret.md');
    expect(ingested.stderr).toContain('plan.md: sending');

    const listed = await run('list', '--project', 'road', '--json');
    expect(listed.json().map(({ name, status }) => [name, status])).toEqual(
      expect.arrayContaining([
        ['plan.md', 'completed'],
        ['notes.md', 'completed'],
      ]),
    );
    expect((await run('list', '-p', 'road')).stdout).toMatch(
      /^name +status +version +leaves +tokens +summary$/m,
    );

    const found = await run('search', 'who', 'signs', 'the', 'budget', '--project', 'road', '--limit', '1');
    expect(found.stdout).toMatch(/^1\. plan\.md > Plan > Budget {2}0\.\d\d$/m);
    expect(found.stdout).toContain('Dana Reyes signs the budget');

    const turn = await run('turn', 'Who signs the budget?', '--project', 'road');
    expect(turn).toMatchObject({ code: 0 });
    expect(turn.stdout).toContain('Dana Reyes');
    expect(turn.stdout).toMatch(/^\[1\] plan\.md > Plan > Budget: /m);
    expect(turn.stderr).toMatch(/turn 1, completed: \d+ of \d+ tokens sent/);

    const receipt = await run('show', '--project', 'road');
    expect(receipt.stdout).toMatch(/^retrieved_documents +\d+ +\d+ +[█▏▎▍▌▋▊▉]/m);
    expect(receipt.stdout).toContain('plan.md > Plan > Budget');

    expect((await run('outline', 'plan.md', '--project', 'road')).stdout).toMatch(
      /^ {2}Budget {2}\(\d+ tokens\) {2}outline:/m,
    );
    expect((await run('usage', '--project', 'road', '--csv')).stdout).toMatch(/^phase,model,calls,.*\n/);
    expect(await run('delete', 'notes.md', '--project', 'road')).toMatchObject({
      code: 0,
      stdout: 'notes.md: deleted\n',
    });
    expect(await run('delete', 'notes.md', '--project', 'road')).toMatchObject({ code: 3 });
  });

  it('says of each file what became of it, and fails when one did', async () => {
    await run('projects', 'create', 'Mixed', '--id', 'mixed');
    const paths = [join(folder, 'plan.md'), join(folder, 'empty.docx')];
    const { code, stdout, stderr } = await run('ingest', ...paths, '--project', 'mixed');
    expect(code).not.toBe(0);
    expect(stdout).toMatch(/^plan\.md: searchable/m);
    expect(stdout).toMatch(/^empty\.docx: failed: /m);
    expect(stderr).toContain('1 of 2 files could not be ingested.');
  });

  it('tells files of one name apart by their folders', async () => {
    await run('projects', 'create', 'Twins', '--id', 'twins');
    await mkdir(join(folder, 'a'), { recursive: true });
    await mkdir(join(folder, 'b'), { recursive: true });
    await writeFile(join(folder, 'a', 'same.md'), '# A\n\nFirst.\n');
    await writeFile(join(folder, 'b', 'same.md'), '# B\n\nSecond.\n');
    const { stdout } = await run(
      'ingest',
      join(folder, 'a'),
      join(folder, 'b'),
      '--project',
      'twins',
      '--json',
    );
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).name.split(' - ').slice(-2).join('/'))
        .sort(),
    ).toEqual(['a/same.md', 'b/same.md']);
  });
});

describe('a conversation', () => {
  it('goes line by line, shows receipts, and ends with its input', async () => {
    await run('projects', 'create', 'Talk', '--id', 'talk');
    const input = 'hi\n/show\n/nonsense\nWho decides?\n';
    const { code, stdout, stderr } = await runForge(['chat', '--project', 'talk'], { url, input });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Turn 1: \d+ of \d+ tokens$/m);
    expect(stderr).toMatch(/turn 2, completed/);
    expect(stderr.match(/\/quit {2}leave/g)).toHaveLength(2);
  });

  it('reads a message from its input, and gives every event as JSON', async () => {
    await run('projects', 'create', 'Piped', '--id', 'piped');
    const { json } = await runForge(['turn', '-', '--project', 'piped', '--json'], {
      url,
      input: 'Who decides?',
    });
    const events = json().map(({ event }) => event);
    expect(events[0]).toBe('turn.created');
    expect(events.at(-1)).toBe('turn.completed');
  });
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

it('takes out of texts what would drive the terminal', async () => {
  await run('projects', 'create', 'Hostile', '--id', 'hostile');
  await writeFile(
    join(folder, 'hostile.md'),
    '# Budget\n\nThe budget\u001b]0;owned\u0007 is \u001b[31mred\u001b[0m.\n',
  );
  await run('ingest', join(folder, 'hostile.md'), '-p', 'hostile');
  const { stdout } = await run('search', 'budget', '-p', 'hostile', '--min-score', '0');
  expect(stdout).toContain('The budget');
  expect(stdout).not.toContain('\u001b');
});
