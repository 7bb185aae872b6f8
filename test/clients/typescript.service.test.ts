import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createForge, type Forge, ForgeError, type Schema } from '../../clients/typescript/src/index.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { brokenStream, foreign, type Line, lostAnswer, openLine, overloaded } from './line.ts';

// The client against a service, over a line that can be made to break.

let app: TestApp;
let forge: Forge;
let project: string;
let line: Line;

beforeAll(async () => {
  app = await startTestApp();
  line = await openLine(await app.app.listen({ host: '127.0.0.1', port: 0 }));
  forge = createForge({ baseUrl: line.url, longestPauseMs: 2_000 });
});
afterAll(async () => {
  await line.close();
  await app.close();
});
beforeEach(async () => {
  project = (await forge.call('post', '/projects', { body: { id: randomUUID(), name: 'Client' } })).id;
  line.heal();
});

const posts = (): string[] => line.asked.filter((one) => one.startsWith('POST'));

it('throws what the service refuses, with its problem, and tries it once', async () => {
  const refused = forge.call('get', '/projects/{project_id}', { path: { project_id: 'none' } });
  await expect(refused).rejects.toThrow(ForgeError);
  await expect(refused).rejects.toMatchObject({ code: 'project_not_found', status: 404 });
  expect(line.asked).toHaveLength(1);
});

it('sends a POST again whose answer was lost, and it is done once', async () => {
  line.breaks(1, lostAnswer);
  const id = randomUUID();
  const made = await forge.call('post', '/projects', { body: { id, name: 'Twice' } });
  expect(made.id).toBe(id);
  expect(posts()).toHaveLength(2);
});

it('comes back when it is told to, and gives up what would take too long', async () => {
  line.breaks(1, overloaded(0.01));
  await forge.call('get', '/version', {});
  expect(line.asked).toHaveLength(2);
  line.breaks(1, overloaded(60));
  await expect(forge.call('get', '/version', {})).rejects.toMatchObject({ code: 'overloaded' });
});

it('tells of what is no Forge in words', async () => {
  line.breaks(1, foreign);
  await expect(forge.call('get', '/version', {})).rejects.toThrow(/answered 404, and not as Forge does/);
});

it('streams a turn to its end over a line that breaks', async () => {
  line.breaks(2, brokenStream);
  let written = '';
  const numbers: number[] = [];
  let end: Schema<'Turn'> | undefined;
  for await (const event of forge.turn(project, { message: 'Our decision maker is Dana Reyes.' })) {
    numbers.push(event.id);
    if (event.event === 'answer.delta') written += event.data.text;
    if (event.event === 'turn.completed') end = event.data;
  }
  expect(line.asked.filter((one) => one.includes('/events'))).toHaveLength(2);
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
  expect(end?.response).toBe(written);
  expect(written).not.toBe('');
  expect(posts()).toHaveLength(1);
  const again: string[] = [];
  for await (const event of forge.followTurn(project, 1)) again.push(event.event);
  expect(again.at(-1)).toBe('turn.completed');
});

it('joins the turn whose first answer was lost', async () => {
  line.breaks(1, lostAnswer);
  const events: string[] = [];
  for await (const { event } of forge.turn(project, { message: 'We have to ship before 1 March.' }))
    events.push(event);
  expect(events.at(-1)).toBe('turn.completed');
  const path = { project_id: project };
  const { data: turns } = await forge.call('get', '/projects/{project_id}/turns', { path });
  expect(turns).toHaveLength(1);
});

it('streams a run of the research agent', async () => {
  const events: string[] = [];
  for await (const { event } of forge.research(project, { question: 'What is there?' })) events.push(event);
  expect(events[0]).toBe('run.created');
  expect(events.at(-1)).toBe('run.completed');
});

it('stops listening when it is told to, and the turn goes on', async () => {
  const stop = new AbortController();
  const listening = (async () => {
    for await (const _ of forge.turn(project, { message: 'Hello' }, { signal: stop.signal })) stop.abort();
  })();
  await expect(listening).rejects.toThrow(/abort/i);
  await expect
    .poll(
      async () =>
        (await forge.call('get', '/projects/{project_id}/turns/{n}', { path: { project_id: project, n: 1 } }))
          .status,
    )
    .toBe('completed');
});

it('uploads with progress, and again when the connection breaks', async () => {
  const text = `# Plan\n\n${'Dana Reyes signs the budget. '.repeat(4_000)}`;
  const told: [number, number][] = [];
  line.breaks(1, lostAnswer);
  const file = await forge.upload(project, [{ name: 'plan.md', content: text }], {
    wait: 60,
    onProgress: (sent, total) => told.push([sent, total]),
  });
  expect(file).toMatchObject({ object: 'file', name: 'plan.md', version: 1, status: 'completed' });
  const [sent, total] = told.at(-1) ?? [];
  expect(sent).toBe(total);
  expect(sent).toBeGreaterThan(text.length);
  const several = await forge.upload(project, [
    { name: 'a.md', content: '# A' },
    { name: 'b.md', content: new TextEncoder().encode('# B') },
  ]);
  expect(several).toMatchObject({ object: 'upload_list' });
});

it('reads a list page after page', async () => {
  const names = ['a.md', 'b.md', 'c.md'];
  await forge.upload(
    project,
    names.map((name) => ({ name, content: `# ${name}` })),
    { wait: 0 },
  );
  const found: string[] = [];
  const request = { path: { project_id: project }, query: { limit: 1 } };
  for await (const file of forge.list('/projects/{project_id}/files', request)) found.push(file.name);
  expect(found).toEqual(names);
  expect(line.asked.filter((one) => one.startsWith('GET'))).toHaveLength(3);
});
