import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { startKeyedApp } from '../helpers/keyed-app.ts';

// A session with both keys, recorded, and held again without a key or a provider.

const NOTES = '# People\n\nDana decides on the budget of 40,000 euros. Ilya is against it.\n';
const REGISTER = {
  name: 'register_assumption',
  input: { statement: 'Dana can approve alone', confidence: 'guessed', impact: 'high' },
};

let folder: string;
let recorded: Awaited<ReturnType<typeof holdSession>>;
let replayed: TestApp;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'forge-replay-'));
  const keyed = await startKeyedApp(
    (_request, index) =>
      index === 0
        ? { thinking: ['Who could it be?'], text: 'Noted.', toolCalls: [REGISTER] }
        : { text: 'Dana decides [1]. Who else has to agree?' },
    undefined,
    { FORGE_RECORD: folder },
  );
  recorded = await holdSession(keyed.forge);
  await keyed.close();
  replayed = await startTestApp({ settings: { FORGE_REPLAY: folder }, ownEmbeddings: true });
  await replayed.call('POST', '/projects', { id: 'p', name: 'P' });
});
afterAll(async () => {
  await replayed.close();
  await rm(folder, { recursive: true });
});

/** A file, two turns and a search; what is said next hangs on whether the turn before was summed up. */
async function holdSession(forge: TestApp) {
  const file = await forge.upload('p', { 'notes.md': NOTES });
  const turns: object[] = [];
  for (const [index, message] of ['Who decides on the budget?', 'And who is against it?'].entries()) {
    const { body } = await forge.call('POST', '/projects/p/turns', { message });
    const found = async () =>
      (
        await forge.call('POST', '/projects/p/search', {
          query: 'budget',
          kinds: ['turns'],
          mode: 'semantic',
        })
      ).body;
    await vi.waitFor(async () => expect((await found()).data).toHaveLength(index + 1), { timeout: 120_000 });
    turns.push(body);
  }
  const search = await forge.call('POST', '/projects/p/search', { query: 'Ilya' });
  const usage = await forge.call('GET', '/projects/p/usage');
  return { file: file.body.summary, turns, found: search.body.data, usage: usage.body };
}

it('says the same again, to the token', async () => {
  const again = await holdSession(replayed);
  const volatile = { created_at: '', completed_at: '', timings_ms: {} };
  const stable = (turns: object[]) => turns.map((turn) => ({ ...turn, ...volatile }));
  expect({ ...again, turns: stable(again.turns) }).toEqual({ ...recorded, turns: stable(recorded.turns) });
  expect(again.turns).toMatchObject([
    { status: 'completed', response: 'Dana decides [1]. Who else has to agree?' },
    { status: 'completed', citations: [{ filename: 'notes.md' }] },
  ]);
  expect((await replayed.call('GET', '/readyz')).body).toMatchObject({
    status: 'ok',
    embedding: { provider: 'voyage' },
    models: { provider: 'anthropic' },
  });
});

it('names the call that is missing when something else is said', async () => {
  const { status, body } = await replayed.call('POST', '/projects/p/turns', { message: 'What about Legal?' });
  expect(status).toBe(503);
  expect(body.code).toBe('provider_misconfigured');
  expect(body.detail).toContain('anthropic (answer)');
  expect(body.detail).toContain(folder);
  expect(body.detail).toMatch(
    /The nearest is answer-[\da-f]+-\d+\.json, which differs first at \/messages\//,
  );
  const reasons = (await replayed.call('GET', '/readyz')).body.reasons as { phase: string }[];
  expect(reasons.map(({ phase }) => phase).sort()).toEqual(['answer', 'embed', 'route']);
});

it('has kept no key, and every kind of call', async () => {
  const names = await readdir(folder);
  const phases = new Set(names.map((name) => name.split('-')[0]));
  expect([...phases].sort()).toEqual(['answer', 'embed', 'route', 'summary']);
  for (const name of names) expect(await readFile(join(folder, name), 'utf8')).not.toContain('test-key');
});
