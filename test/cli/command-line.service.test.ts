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

describe('research', () => {
  it('shows what is done on the way, and what the answer rests on', async () => {
    await run('projects', 'create', 'Find', '--id', 'find');
    await run('ingest', join(folder, 'plan.md'), '-p', 'find');
    const { code, stdout, stderr } = await run('research', 'Who signs the budget?', '-p', 'find');
    expect(code).toBe(0);
    expect(stdout).toContain('Dana Reyes signs the budget');
    expect(stdout).toMatch(/^\[1\] plan\.md > Plan > Budget: /m);
    expect(stderr).toMatch(/^> search_\w+ \{"query"/m);
    expect(stderr).toMatch(/^run \S+, completed: \d+ steps?/m);
  });

  it('asks back which file is meant, and takes the choice', async () => {
    await run('projects', 'create', 'Briefs', '--id', 'briefs');
    for (const name of ['policy_brief.md', 'budget_brief.md']) {
      await writeFile(join(folder, name), `# ${name}\n\nThe ${name.split('_')[0]} is settled in May.\n`);
      await run('ingest', join(folder, name), '-p', 'briefs');
    }
    const asked = await run('research', 'What does my brief say is settled in May?', '-p', 'briefs');
    expect(asked.code).toBe(1);
    expect(asked.stderr).toContain('--file "policy_brief.md" or --file "budget_brief.md"');
    const chosen = await run(
      'research',
      'What does my brief say is settled in May?',
      '-p',
      'briefs',
      '--file',
      'policy_brief.md',
    );
    expect(chosen.code).toBe(0);
    expect(chosen.stdout).toContain('The policy is settled in May');
  });

  it('refuses a source that there is not', async () => {
    expect(await run('research', 'x', '-p', 'find', '--source', 'web')).toMatchObject({ code: 2 });
  });
});

describe('an archive', () => {
  it('goes out and comes in under another id', async () => {
    await run('projects', 'create', 'Out', '--id', 'out');
    await run('ingest', join(folder, 'plan.md'), '-p', 'out');
    const path = join(folder, 'out.zip');
    expect((await run('export', path, '-p', 'out')).stdout).toMatch(/out\.zip: \d+ bytes\n$/);
    expect(await run('import', path)).toMatchObject({ code: 4 });
    expect(await run('import', path, '--id', 'in')).toMatchObject({ code: 0, stdout: 'in\n' });
    expect((await run('search', 'who signs the budget', '-p', 'in')).stdout).toContain('Dana Reyes signs');
  });

  it('is not written where there is no such project, and leaves nothing', async () => {
    const path = join(folder, 'none.zip');
    expect(await run('export', path, '-p', 'nowhere')).toMatchObject({ code: 3 });
    expect(await run('import', path)).toMatchObject({ code: 2 });
  });

  it('is written whole or not at all', async () => {
    await run('projects', 'create', 'Full', '--id', 'full');
    const { code, stderr } = await run('export', join(folder, 'no', 'such', 'folder.zip'), '-p', 'full');
    expect(code).toBe(1);
    expect(stderr).toContain('cannot be written');
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
