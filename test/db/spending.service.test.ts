import { afterAll, beforeAll, expect, it } from 'vitest';
import { startKeyedApp } from '../helpers/keyed-app.ts';

type Kit = Awaited<ReturnType<typeof startKeyedApp>>;
let kit: Kit;

beforeAll(async () => {
  kit = await startKeyedApp(() => ({ text: 'A quokka costs 12 euros.' }));
});
afterAll(() => kit.close());

/** What was spent by model, as the ledger has it. */
async function spent() {
  const { rows } = await kit.forge.db.query(
    `select model, sum(calls)::int as calls, sum(input_tokens)::int as input_tokens,
       sum(cached_tokens)::int as cached_tokens, sum(output_tokens)::int as output_tokens
     from spending where month = date_trunc('month', now() at time zone 'utc')::date
     group by model order by model`,
  );
  return rows;
}

async function accounted() {
  const { body } = await kit.forge.call('GET', '/projects/p/usage');
  return body.by_model
    .map(({ cache_write_tokens: _written, cost_usd: _cost, ...figures }: Record<string, unknown>) => figures)
    .sort((a: { model: string }, b: { model: string }) => (a.model < b.model ? -1 : 1));
}

it('counts what turns, runs, files and searches use, and keeps it when the project goes', async () => {
  await kit.forge.upload('p', {
    'quokka.md': '# Quokka\n\nA quokka costs 12 euros, as the board has agreed on.\n',
  });
  await kit.say('What does a quokka cost?');
  await kit.say('And what does a wombat cost?');
  await kit.forge.call('POST', '/projects/p/search', { query: 'quokka' });
  await kit.forge.settle();
  const before = await accounted();
  expect(before.length).toBeGreaterThanOrEqual(3);
  expect(await spent()).toEqual(before);

  const archive = await kit.forge.call('GET', '/projects/p/export');
  await kit.forge.call('DELETE', '/projects/p');
  expect(await spent()).toEqual(before);

  const imported = await kit.forge.app.inject({
    method: 'POST',
    url: '/projects:import?id=q',
    headers: { 'content-type': 'application/zip' },
    payload: archive.bytes,
  });
  expect(imported.statusCode).toBeLessThan(300);
  await kit.forge.settle();
  // what was paid for elsewhere is not paid for again; what the import itself embeds and summarises is
  const calls = (rows: { calls: number }[]) => rows.reduce((sum, row) => sum + row.calls, 0);
  const again = (await spent()) as { calls: number; model: string }[];
  const answers = (rows: { model: string; calls: number }[]) =>
    rows.find(({ model }) => model === 'claude-sonnet-5-5');
  expect(answers(again)).toEqual(answers(before));
  expect(calls(again)).toBeLessThan(2 * calls(before));
});
