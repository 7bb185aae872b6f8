import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runForge } from '../helpers/command-line.ts';
import { harbour, placed } from '../helpers/context-requests.ts';
import { contextBenches } from '../helpers/contexts.ts';

const bench = contextBenches();
const SECTIONS = 12;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'forge-cli-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** A service that writes no contexts unless it is told to, and the command line for its project. */
async function start(...[reply = placed, { settings = {} } = {}]: Parameters<typeof bench>) {
  const b = await bench(reply, { settings: { CONTEXTUAL: 'off', ...settings } });
  const url = await b.forge.app.listen({ host: '127.0.0.1', port: 0 });
  const run = (...args: string[]) => runForge(args, { url });
  return {
    ...b,
    run,
    contextsOf: (...args: string[]) => run('contexts', ...args, '--project', 'p'),
    switchTo: (contextual: string) => run('projects', 'change', 'p', '--contextual', contextual),
  };
}

it('says what contexts take, writes them when it is told to, and takes them away', async () => {
  const { contextsOf, switchTo, ...b } = await start();
  await b.put('harbour.md', harbour(SECTIONS));
  await b.put('notes.md', harbour(1));
  expect(await contextsOf()).toMatchObject({ code: 0, stdout: 'Every file is as it is to be.\n' });
  expect(await switchTo('on')).toMatchObject({ code: 0, stdout: 'p: changed\n' });

  const plan = await contextsOf();
  expect(plan).toMatchObject({ code: 0, stderr: 'Nothing was done: --apply does it.\n' });
  expect(plan.stdout).toMatch(/^harbour\.md +12 +2$/m);
  expect(plan.stdout).toMatch(
    /^13 contexts by claude-haiku-5-5: 3 calls, \d+ tokens in, \d+ of them cached, \d+ out: \$0\.\d{4}$/m,
  );
  expect(plan.stdout).toMatch(/^Embedded with them by .+: \d+ tokens: /m);
  expect(b.asked).toEqual([]);

  const applied = await contextsOf('harbour.md', '--apply');
  expect(applied).toMatchObject({ code: 0 });
  expect(applied.stdout).toMatch(/^harbour\.md: 12 contexts$/m);
  expect(b.asked).toHaveLength(2);
  expect(await b.contexts('harbour.md')).toMatchObject({ state: 'ready', leaves: SECTIONS });
  expect(await b.contexts('notes.md')).toMatchObject({ state: 'none' });

  await switchTo('default');
  expect((await contextsOf()).stdout).toBe('harbour.md: its contexts are to be taken away\n');
  const removed = await contextsOf('--apply', '--json');
  expect(removed.json()).toMatchObject([
    { object: 'contexts_plan', dry_run: true, written: [], removed: ['harbour.md'] },
    { object: 'file', name: 'harbour.md', contexts: { state: 'none', leaves: 0 } },
  ]);
  expect(b.asked).toHaveLength(2);
});

it.each([
  ['it costs more than is allowed', { EMBEDDING_PROVIDER: 'off' }, /^forge: It costs \$0\.\d{4}, and/m],
  // nobody knows the price of the encoder of this test
  ['nobody knows what it costs', {}, /^forge: What it costs is not known, and/m],
])('does nothing where %s', async (_, settings, told) => {
  const { contextsOf, switchTo, ...b } = await start(placed, { settings });
  await b.put('harbour.md', harbour(SECTIONS));
  await switchTo('on');
  const refused = await contextsOf('--apply', '--max-usd', '0.00001');
  expect(refused).toMatchObject({ code: 4 });
  expect(refused.stderr).toMatch(told);
  expect(refused.stderr).toContain('nothing was done');
  expect(b.asked).toEqual([]);
  expect(await contextsOf('--apply', '--max-usd', 'much')).toMatchObject({ code: 2 });
});

it('says where leaves are left without, and why', async () => {
  const { contextsOf, switchTo, ...b } = await start(() => ({ status: 400, message: 'prompt is too long' }));
  await b.put('harbour.md', harbour(SECTIONS));
  await switchTo('on');
  const failed = await contextsOf('--apply');
  expect(failed).toMatchObject({ code: 1 });
  expect(failed.stdout).toMatch(/^harbour\.md: 0 contexts for 12 leaves: The language model refused/m);
  expect(failed.stderr).toContain('In 1 of 1 files leaves are left without contexts.');
});

it('switches them for what is ingested, and for a project', async () => {
  const { run, ...b } = await start();
  const path = join(folder, 'harbour.md');
  await writeFile(path, harbour(2));
  const ingested = await run('ingest', path, '--project', 'p', '--contextual', 'on');
  expect(ingested.stdout).toMatch(
    /^harbour\.md: searchable, version 1, \d leaves, \d+ tokens, contexts follow$/m,
  );
  await b.forge.settle();
  expect(await b.contexts('harbour.md')).toMatchObject({ state: 'ready' });
  expect(await run('ingest', path, '--contextual', 'perhaps')).toMatchObject({ code: 2 });
  const unchanged = await run('projects', 'change', 'p');
  expect(unchanged).toMatchObject({ code: 2 });
  expect(unchanged.stderr).toContain('Say what is to be changed');
  const renamed = await run('projects', 'change', 'p', '--name', 'Port', '--contextual', 'off', '--json');
  expect(renamed.json()).toMatchObject([{ id: 'p', name: 'Port', contextual: false }]);
});
