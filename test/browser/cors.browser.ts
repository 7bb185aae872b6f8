import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fakeLanguageModel, routeReply } from '../fakes/language-model.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { gate } from '../helpers/gate.ts';
import { chromiumPath, launchBrowser, openPage, type PageServer, servePage } from './chromium.ts';

let browser: Browser;
let allowed: PageServer;
let stranger: PageServer;
let forge: TestApp;
let service: string;
/** What the model waits at before it speaks on. */
let speaking = gate();
/** Methods and paths of the requests that came, in their order. */
const asked: string[] = [];

/** As real models do, it stops waiting when it is told to. */
const untilSpeaking = (signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    void speaking.opened.then(resolve);
    signal?.addEventListener('abort', () => reject(new Error('aborted')));
  });

/** Calls a function of the page. */
const ask = (page: Page, name: string, ...args: unknown[]): Promise<unknown> =>
  page.evaluate(`${name}(...${JSON.stringify(args)})`);

describe.skipIf(chromiumPath === null)('a page of another origin', () => {
  beforeAll(async () => {
    const html = await readFile('test/browser/client-page.html', 'utf8');
    [allowed, stranger] = await Promise.all([servePage('localhost', html), servePage('localhost', html)]);
    forge = await startTestApp({
      settings: { CORS_ORIGINS: allowed.origin },
      overrides: {
        answerModel: {
          ...fakeLanguageModel(() => ({ text: 'unused' })),
          async generate(request) {
            request.onText?.('Well. ');
            await untilSpeaking(request.signal);
            return fakeLanguageModel(() => ({ text: 'Who signs the budget?' })).generate(request);
          },
        },
        smallModel: fakeLanguageModel(() => ({ text: routeReply() })),
      },
    });
    forge.app.server.on('request', ({ method, url }) => asked.push(`${method} ${url}`));
    service = await forge.app.listen({ host: '127.0.0.1', port: 0 });
    await forge.call('POST', '/projects', { id: 'p', name: 'P' });
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await forge?.close();
    await allowed?.close();
    await stranger?.close();
  });
  beforeEach(() => {
    speaking = gate();
    asked.length = 0;
  });

  const post = (body: object) => ({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

  it('uploads a file and sees its progress', async () => {
    const { page, failures } = await openPage(browser, allowed.origin);
    const length = 600_000;
    const answer = (await ask(page, 'upload', `${service}/projects/p/files`, 'notes.md', length)) as {
      progress: { loaded: number; total: number }[];
    };
    expect(answer).toMatchObject({
      status: 201,
      location: '/projects/p/files/notes.md',
      requestId: expect.stringMatching(/^[\w-]+$/),
    });
    const last = answer.progress.at(-1);
    expect(last?.total).toBeGreaterThan(length);
    expect(last?.loaded).toBe(last?.total);
    expect(failures).toEqual([]);
  });

  it('streams a turn, loses the connection and goes on where it was', async () => {
    const { page } = await openPage(browser, allowed.origin);
    const turns = `${service}/projects/p/turns`;
    expect(await ask(page, 'follow', turns, post({ message: 'Who decides?' }))).toBe(200);
    const before = (await ask(page, 'readUntil', 'answer.delta')) as { id: number }[];
    await ask(page, 'leave');
    const last = before.at(-1)?.id ?? 0;
    const headers = { 'last-event-id': String(last) };
    expect(await ask(page, 'follow', `${turns}/1/events`, { headers })).toBe(200);
    speaking.open();
    const after = (await ask(page, 'readUntil', 'turn.completed')) as { id: number; data: object }[];
    expect(after[0]?.id).toBe(last + 1);
    expect(after.at(-1)?.data).toMatchObject({ turn_number: 1, status: 'completed' });
  });

  it('cancels a turn that it follows', async () => {
    const { page } = await openPage(browser, allowed.origin);
    const turns = `${service}/projects/p/turns`;
    await ask(page, 'follow', turns, post({ message: 'And when?' }));
    await ask(page, 'readUntil', 'answer.delta');
    expect(await ask(page, 'call', `${turns}/2/cancel`, { method: 'POST' })).toMatchObject({
      status: 200,
      body: { status: 'cancelled' },
    });
    const events = (await ask(page, 'readUntil', 'turn.cancelled')) as { data: object }[];
    expect(events.at(-1)?.data).toMatchObject({ turn_number: 2, status: 'cancelled' });
  });

  it('reads the headers that clients go by', async () => {
    const { page } = await openPage(browser, allowed.origin);
    const { headers } = (await ask(page, 'call', `${service}/projects/p/state`)) as {
      headers: Record<string, string>;
    };
    expect(headers).toMatchObject({ etag: expect.any(String), 'x-request-id': expect.any(String) });
    const refused = await ask(page, 'call', `${service}/projects`, post({ id: 'p', name: 'Again' }));
    expect(refused).toMatchObject({ status: 409, body: { code: 'project_exists' } });
  });

  it('is asked once, and not before each request', async () => {
    const { page } = await openPage(browser, allowed.origin);
    for (const name of ['One', 'Two', 'Three']) {
      const change = { ...post({ name }), method: 'PATCH' };
      expect(await ask(page, 'call', `${service}/projects/p`, change)).toMatchObject({ status: 200 });
    }
    const change = 'PATCH /projects/p';
    expect(asked).toEqual(['OPTIONS /projects/p', change, change, change]);
  });

  it('may not send credentials of the browser along', async () => {
    const { page } = await openPage(browser, allowed.origin);
    expect(await ask(page, 'isAnswered', `${service}/version`)).toBe(true);
    expect(await ask(page, 'isAnswered', `${service}/version`, { credentials: 'include' })).toBe(false);
  });

  it('of an origin that is not allowed reads nothing and changes nothing', async () => {
    const { page } = await openPage(browser, stranger.origin);
    const projects = `${service}/projects`;
    expect(await ask(page, 'isAnswered', projects)).toBe(false);
    expect(await ask(page, 'isAnswered', projects, post({ id: 'theirs', name: 'Theirs' }))).toBe(false);
    // without asking first, as a form does: the answer is there, and opaque
    const form = { ...post({ id: 'theirs', name: 'Theirs' }), mode: 'no-cors', headers: {} };
    expect(await ask(page, 'isAnswered', projects, form)).toBe(true);
    expect(await ask(page, 'upload', `${projects}/p/files`, 'theirs.md', 12)).toBeNull();
    expect(asked).toContain('POST /projects');
    expect((await forge.call('GET', '/projects/theirs')).status).toBe(404);
    expect((await forge.call('GET', '/projects/p/files/theirs.md')).status).toBe(404);
  });
});
