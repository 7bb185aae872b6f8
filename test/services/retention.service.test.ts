import { afterAll, beforeAll, expect, it } from 'vitest';
import { removeOld } from '../../src/services/retention.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { openStream } from '../helpers/sse.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const ALL = {
  turnsDays: 0,
  receiptsDays: 0,
  eventsDays: 0,
  researchDays: 0,
  auditDays: 0,
  feedDays: 0,
  fileVersions: 0,
  window: 2,
};
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  await app.call('POST', '/projects', { id: 'p', name: 'P' });
  for (const version of [1, 2, 3, 4]) {
    await app.upload(
      'p',
      { 'note.md': `# Note\n\nThe kettle boils at ${90 + version} degrees.\n` },
      {},
      '?on_duplicate=replace',
    );
  }
  for (let turn = 1; turn <= 4; turn += 1) {
    await app.call('POST', '/projects/p/turns', {
      message: `At how many degrees does the kettle boil? (${turn})`,
    });
  }
  await app.call('POST', '/projects/p/research', { question: 'At how many degrees does the kettle boil?' });
  await app.settle();
});
afterAll(() => app.close());

const count = async (table: string) =>
  (await app.db.query<{ n: number }>(`select count(*)::int as n from ${table}`)).rows[0]?.n ?? 0;

const spent = async () =>
  (await app.db.query('select * from spending order by month, project_id, model')).rows;

it('keeps everything unless it is told otherwise, and what has not grown old', async () => {
  expect(await removeOld(app.db, ALL, { now: inDays(10_000) })).toEqual({});
  const week = {
    ...ALL,
    turnsDays: 7,
    receiptsDays: 7,
    eventsDays: 7,
    researchDays: 7,
    auditDays: 7,
    feedDays: 7,
  };
  expect(await removeOld(app.db, week, { now: inDays(6) })).toEqual({});
});

it('removes what turns and runs have told; their end is told still', async () => {
  expect(await count('turn_events')).toBeGreaterThan(4);
  const removed = await removeOld(app.db, { ...ALL, eventsDays: 7 }, { now: inDays(8) });
  expect(Object.keys(removed)).toContain('turn events');
  expect(await count('turn_events')).toBe(0);
  expect(await count('research_events')).toBe(0);
  const events = await app.call('GET', '/projects/p/turns/1/events');
  expect(events.text.match(/^event: /gm)).toHaveLength(1);
  expect(events.text).toContain('degrees');
});

it('removes receipts, and leaves the turns', async () => {
  expect(await removeOld(app.db, { ...ALL, receiptsDays: 7 }, { now: inDays(8) })).toEqual({ receipts: 4 });
  expect((await app.call('GET', '/projects/p/turns/4')).body.response).toContain('degrees');
  expect((await app.call('GET', '/projects/p/turns/4/context')).status).toBe(404);
});

it('removes old versions of files, never the one that is searched; citations are checked against that', async () => {
  expect(await removeOld(app.db, { ...ALL, fileVersions: 2 })).toEqual({ 'file versions': 2 });
  expect((await app.call('GET', '/projects/p/files/note.md/content?version=2')).status).toBe(404);
  expect((await app.call('GET', '/projects/p/files/note.md/content?version=3')).status).toBe(200);
  expect((await app.call('GET', '/projects/p/files/note.md/content')).text).toContain('94 degrees');
  const citations = [
    { filename: 'note.md', quote: 'The kettle boils at 94 degrees.', char_start: 8, header_path: ['Note'] },
    { filename: 'note.md', quote: 'The kettle boils at 91 degrees.', char_start: 8, header_path: ['Note'] },
  ];
  const checks = await app.call('POST', '/projects/p/citations:verify', { citations });
  expect(checks.status).toBe(200);
  const statuses = checks.body.data.map(({ status }: { status: string }) => status);
  expect(statuses[0]).toBe('valid');
  expect(statuses[1]).not.toBe('valid');
  await app.db.query(`update files set searchable_version = 3`);
  expect(await removeOld(app.db, { ...ALL, fileVersions: 1 })).toEqual({});
  await app.db.query(`update files set searchable_version = 4`);
});

it('removes turns and runs but for the newest window, and keeps their calls in the account', async () => {
  const before = (await app.call('GET', '/projects/p/usage')).body;
  const paid = await spent();
  const old = { ...ALL, turnsDays: 7, researchDays: 7 };
  expect(await removeOld(app.db, old, { now: inDays(8) })).toEqual({ turns: 2, 'research runs': 1 });
  expect(await spent()).toEqual(paid);
  expect(await count('turn_postings where turn_number < 3')).toBe(0);
  expect((await app.call('GET', '/projects/p/usage')).body.total).toEqual(before.total);
  expect((await app.call('GET', '/projects/p/turns/2')).status).toBe(404);
  const next = await app.call('POST', '/projects/p/turns', {
    message: 'And the kettle, at how many degrees?',
  });
  expect(next.status).toBe(201);
  const turns = await app.call('GET', '/projects/p/turns');
  const numbers = turns.body.data.map((turn: { turn_number: number }) => turn.turn_number);
  expect(numbers.toSorted()).toEqual([3, 4, 5]);
  await app.settle();
});

it('leaves a turn that runs as it is', async () => {
  await app.db.query(`update turns set status = 'in_progress', completed_at = null where turn_number = 3`);
  const old = { ...ALL, turnsDays: 7, receiptsDays: 7, window: 0 };
  const removed = await removeOld(app.db, old, { now: inDays(8) });
  expect(removed.turns).toBe(1);
  const { rows } = await app.db.query('select turn_number from turns order by turn_number');
  expect(rows).toEqual([{ turn_number: 3 }, { turn_number: 5 }]);
});

it('removes what projects have told of their changes, and says so to whoever asks for it', async () => {
  const events = (query: string) => app.call('GET', `/projects/p/events${query}`);
  const { last_id: last, is_trimmed } = (await events('')).body;
  expect(is_trimmed).toBe(false);
  expect(await count('project_events')).toBeGreaterThan(4);
  const removed = await removeOld(app.db, { ...ALL, feedDays: 7 }, { now: inDays(8) });
  expect(removed['events of projects']).toBeGreaterThan(4);
  expect(await count('project_events')).toBe(0);
  const none = { object: 'list', data: [], has_more: false, last_id: last };
  expect((await events('')).body).toEqual({ ...none, is_trimmed: true });
  expect((await events(`?after=${last - 1}`)).body).toEqual({ ...none, is_trimmed: true });
  expect((await events(`?after=${last}`)).body).toEqual({ ...none, is_trimmed: false });
  expect((await events('?after=now')).body).toEqual({ ...none, is_trimmed: false });

  const url = `${await app.app.listen({ port: 0 })}/projects/p/events`;
  const behind = await openStream(url, { headers: { 'last-event-id': '1' } });
  const trimmed = { id: last, event: 'feed.trimmed', data: { type: 'feed.trimmed', url: '/projects/p' } };
  expect(await behind.until('feed.trimmed')).toMatchObject(trimmed);
  const upToDate = await openStream(url, { headers: { 'last-event-id': String(last) } });
  await app.call('PATCH', '/projects/p', { name: 'Q' });
  const renamed = await behind.until('project.renamed');
  expect(await upToDate.until('project.renamed')).toEqual(renamed);
  expect(upToDate.events).toEqual([renamed]);
  behind.leave();
  upToDate.leave();
  await removeOld(app.db, { ...ALL, feedDays: 7 }, { now: inDays(8) });
});

it('removes deliveries that have ended, and those of webhooks that are gone', async () => {
  await app.db.query(
    `insert into webhooks (workspace_id, webhook_id, url, secret) values ('default', 'wh', 'https://hooks.example/', '')`,
  );
  await app.db.query(`update webhooks set status = 'disabled' where webhook_id = 'wh'`);
  for (const [webhook, status] of [
    ['wh', 'pending'],
    ['wh', 'delivered'],
    ['wh', 'failed'],
    ['gone', 'pending'],
  ])
    await app.db.query(
      `insert into webhook_deliveries (workspace_id, webhook_id, project_id, event, status)
       values ('default', $1, 'p', '{}', $2)`,
      [webhook, status],
    );
  expect(await removeOld(app.db, { ...ALL, feedDays: 7 }, { now: inDays(8) })).toEqual({
    'deliveries to webhooks': 3,
  });
  expect(await count('webhook_deliveries')).toBe(1);
});
