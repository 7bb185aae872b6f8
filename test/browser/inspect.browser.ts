import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SESSION } from '../../demo/session.ts';
import type { LanguageModel } from '../../src/llm/model.ts';
import { createOfflineModel } from '../../src/llm/offline.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { chromiumPath, launchBrowser } from './chromium.ts';

const KEY = 'an-administrators-key-of-the-browser-test';
const HOSTILE = '<img src=x onerror=globalThis.wasRun=true>';
const POLICY =
  '# Travel policy\n\n## Exceptions\n\nTrips below 400 km go by train. Yusuf Aydin approves exceptions to it.\n';
const HELD = 'Take your time.';
const DOCUMENTS = ['campaign-research-q3.docx', 'stakeholder-notes.md', 'budget-forecast.docx'];

/** Where the pictures of the pages are left, to be looked at. */
const pictures = process.env.INSPECT_PICTURES ?? join(tmpdir(), 'forge-inspect');

let browser: Browser;
let forge: TestApp;
let service: string;
let hostileProject: string;
/** A run of the research agent that has ended. */
let run: string;

/** A page of the inspector with everything that it did wrong. */
async function open(hash: string, options: BrowserContextOptions = {}, key: string | null = KEY) {
  const page = await (await browser.newContext(options)).newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  // a violation of the policy is told on the console
  page.on('console', (message) => faults.push(message.text()));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${service}/`) && url !== 'data:,') faults.push(`asked for ${url}`);
  });
  if (key !== null) await page.addInitScript(`sessionStorage.setItem('forge-key', '${key}')`);
  await page.goto(`${service}/inspect${hash}`);
  await settled(page);
  return { page, faults };
}

const settled = async (page: Page) => {
  await page.locator('main:not([aria-busy]) h1').waitFor();
};

/** The offline model, which never comes to an end with what is to take its time. */
function patientModel(): LanguageModel {
  const offline = createOfflineModel();
  return {
    ...offline,
    generate(request) {
      if (!JSON.stringify(request.messages.at(-1)).includes(HELD)) return offline.generate(request);
      request.onText?.('Well. ');
      return new Promise((_, reject) => {
        const { signal } = request;
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
    },
  };
}

const headers = { authorization: `Bearer ${KEY}` };
const project = '#/projects/campaign-roi-analysis';
const REPORT = `${project}/files/campaign-research-q3.docx`;
const ask = (method: 'GET' | 'POST', url: string, body?: unknown) => forge.call(method, url, body, headers);

describe.skipIf(chromiumPath === null)('the inspector', () => {
  beforeAll(async () => {
    forge = await startTestApp({
      settings: { FORGE_ADMIN_KEY: KEY, HOST: '0.0.0.0' },
      ownEmbeddings: true,
      overrides: { answerModel: patientModel() },
    });
    service = await forge.app.listen({ host: '127.0.0.1', port: 0 });
    await ask('POST', '/projects', { name: 'Campaign ROI analysis' });
    for (const name of DOCUMENTS) {
      const bytes = await readFile(`demo/documents/${name}`);
      await forge.upload('campaign-roi-analysis', { [name]: bytes }, headers);
    }
    for (const { message } of SESSION) {
      await ask('POST', '/projects/campaign-roi-analysis/turns', { message });
    }
    const question =
      'Who approved the dashboard, and what did the Growth Council decide? See stakeholder-notes.md.';
    run = (await ask('POST', '/projects/campaign-roi-analysis/research', { question })).body.id;
    await forge.uploadToLibrary({ 'travel-policy.md': POLICY }, headers);
    await ask('POST', '/projects', { id: 'travel', name: 'Travel' });
    const asked = 'Who approves exceptions to the travel policy?';
    await ask('POST', '/projects/travel/turns', { message: asked, sources: ['library'] });
    hostileProject = (await ask('POST', '/projects', { name: HOSTILE })).body.id;
    const text = `# ${HOSTILE}\n\nThe price of a pilot is 40 EUR 🙂 <script>wasRun = true</script>.\n`;
    await forge.upload(hostileProject, { [`${HOSTILE}.md`]: text }, headers);
    const message = `What is the price of a pilot? ${HOSTILE}`;
    await ask('POST', `/projects/${hostileProject}/turns`, { message });
    browser = await launchBrowser();
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await forge?.close();
  });

  describe.each([
    [1280, 'light'],
    [1280, 'dark'],
    [390, 'light'],
    [390, 'dark'],
  ] as const)('%i pixels wide, %s', (width, colorScheme) => {
    it.each([
      ['projects', '#/', 'Projects'],
      ['project', project, 'Campaign ROI analysis'],
      ['file', `${REPORT}?turn=2&marker=1`, 'campaign-research-q3.docx'],
      ['damaged', `${project}/files/budget-forecast.docx`, 'budget-forecast.docx'],
      ['turn', `${project}/turns/2`, 'Turn 2'],
      ['run', `${project}/research/RUN`, 'Research run'],
      ['library', '#/library/files/travel-policy.md?project=travel&turn=1&marker=1', 'travel-policy.md'],
    ])('shows the page %s, asks nobody else, and needs no scrolling sideways', async (name, hash, title) => {
      const { page, faults } = await open(hash.replace('RUN', run), {
        viewport: { width, height: 900 },
        colorScheme,
      });
      expect(await page.locator('h1').textContent()).toBe(title);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      await page.screenshot({ path: join(pictures, `${name}-${width}-${colorScheme}.png`), fullPage: true });
      expect(faults).toEqual([]);
      await page.context().close();
    });
  });

  it('draws the receipt as the API tells it, and says it in words', async () => {
    const { page } = await open(`${project}/turns/2`);
    const { body } = await ask('GET', '/projects/campaign-roi-analysis/turns/2/context');
    const sent = body.sections.filter(({ tokens }: { tokens: number }) => tokens > 0);
    expect(await page.locator('.budget .segment').count()).toBe(sent.length);
    const described = await page.locator('.budget desc').textContent();
    expect(described).toContain(`${body.tokens.toLocaleString('en')} tokens of 12,000 were sent`);
    expect(await page.locator('.passage').count()).toBe(
      body.sections.find(({ name }: { name: string }) => name === 'retrieved_documents').items.length,
    );
    expect(await page.locator('.strip a').count()).toBe(SESSION.length);
    await page.locator('summary', { hasText: 'Documents' }).click();
    await expect.poll(() => page.locator('details[open] pre').textContent()).toContain('SCIM');
  });

  it('leads from a marker to the words that it cites', async () => {
    const { page } = await open(`${project}/turns/2`);
    const { body } = await ask('GET', '/projects/campaign-roi-analysis/turns/2');
    const cited = body.citations.find(({ marker }: { marker: number }) => marker === 1);
    await page.locator('.reply a.marker', { hasText: '[1]' }).first().click();
    const target = page.locator('mark[data-target]');
    await expect.poll(() => target.textContent()).toBe(`[1]${cited.quote}`);
    expect(
      await page.evaluate(
        'document.querySelector("mark[data-target]").getBoundingClientRect().top < innerHeight',
      ),
    ).toBe(true);
    await page.locator('.outline a', { hasText: 'Known Defects' }).click();
    expect(await page.evaluate('document.activeElement.textContent')).toContain('Known Defects');
  });

  it('searches, and tells the places of each hit', async () => {
    const { page, faults } = await open(project);
    await page.getByLabel('What is looked for').fill('ticket ANL-2304');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('.passage a').first().textContent()).toBe('Known Defects');
    await page.locator('.passage summary').first().click();
    expect(await page.locator('.passage table').first().textContent()).toContain('By meaning');
    expect(faults).toEqual([]);
  });

  it('says something, shows it as it comes, and leads to its receipt', async () => {
    const { page, faults } = await open(project);
    await page.getByLabel('Message').fill('Who owns ticket ANL-2304?');
    await page.keyboard.press('Control+Enter');
    await page.locator('.live a', { hasText: 'with its receipt' }).waitFor();
    expect(await page.locator('.live .budget .segment').count()).toBeGreaterThan(5);
    expect(await page.locator('.live .reply').first().textContent()).toContain('ANL-2304');
    await page.locator('.live a', { hasText: 'with its receipt' }).click();
    await expect.poll(() => page.locator('h1').textContent()).toBe(`Turn ${SESSION.length + 1}`);
    expect(faults).toEqual([]);
  });

  it('cancels what goes on, and keeps what was said', async () => {
    const { page, faults } = await open('#/projects/travel');
    await page.getByLabel('Message').fill(HELD);
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => page.locator('.live .reply').first().textContent()).toContain('Well.');
    await page.getByRole('button', { name: 'Cancel this turn' }).click();
    await page.getByText('Turn 2 is cancelled.').waitFor();
    expect(await page.getByRole('button', { name: 'Cancel this turn' }).isVisible()).toBe(false);
    expect((await ask('GET', '/projects/travel/turns/2')).body.status).toBe('cancelled');
    await page.getByLabel('Question').fill(HELD);
    await page.getByRole('button', { name: 'Ask' }).click();
    await page.getByRole('button', { name: 'Cancel this run' }).click();
    await page.getByText('The run is cancelled.').waitFor();
    expect(faults).toEqual([]);
  });

  it('has something researched, shows each step as it comes, and leads to the report and to what it cites', async () => {
    const { page, faults } = await open(project);
    await page
      .getByLabel('Question')
      .fill('Which assumption of the MMM is the weakest? See campaign-research-q3.');
    await page.keyboard.press('Control+Enter');
    await page.locator('.live a', { hasText: 'The run with its steps' }).click();
    await expect.poll(() => page.locator('h1').textContent()).toBe('Research run');
    await settled(page);
    const { body } = await ask('GET', '/projects/campaign-roi-analysis/research?order=desc&limit=1');
    const [{ steps, citations }] = body.data;
    expect(await page.locator('main .passage').count()).toBe(steps.length);
    expect(await page.locator('main table').last().textContent()).toContain('In all');
    await page.locator('.reply a.marker', { hasText: '[1]' }).first().click();
    const [first] = citations;
    await expect.poll(() => page.locator('mark[data-target]').textContent()).toBe(`[1]${first.quote}`);
    await page.locator('mark[data-target] a').click();
    await expect.poll(() => page.locator('h1').textContent()).toBe('Research run');
    expect(faults).toEqual([]);
  });

  it('leads from what a turn cites of the library to its words', async () => {
    const { page, faults } = await open('#/projects/travel/turns/1');
    await page.locator('.reply a.marker', { hasText: '[1]' }).first().click();
    await expect.poll(() => page.locator('mark[data-target]').textContent()).toContain('Yusuf Aydin');
    expect(await page.locator('#trail').textContent()).toContain('Travel');
    expect(faults).toEqual([]);
  });

  it('shows what strangers wrote as text', async () => {
    for (const hash of [
      '#/',
      `#/projects/${hostileProject}`,
      `#/projects/${hostileProject}/turns/1`,
      `#/projects/${hostileProject}/files/${encodeURIComponent(`${HOSTILE}.md`)}`,
    ]) {
      const { page, faults } = await open(hash);
      expect(await page.locator('body').innerText()).toContain(HOSTILE);
      expect(await page.locator('img, main script, iframe, [onerror]').count()).toBe(0);
      expect(await page.evaluate('globalThis.wasRun')).toBeUndefined();
      expect(faults).toEqual([]);
    }
  });

  it('asks for a key, keeps it in the tab, and says when one does not fit', async () => {
    const { page } = await open(project, {}, null);
    expect(await page.locator('h1').textContent()).toBe('Key');
    await page.getByLabel('API key').fill('not-a-key');
    await page.keyboard.press('Enter');
    await page.getByText('This key does not open the service').waitFor();
    await page.getByLabel('API key').fill(KEY);
    await page.keyboard.press('Enter');
    await page.locator('h1', { hasText: 'Campaign ROI analysis' }).waitFor();
    await page.reload();
    await page.locator('h1', { hasText: 'Campaign ROI analysis' }).waitFor();
    expect(page.url()).not.toContain(KEY);
  });

  it('is walked through with the keyboard', async () => {
    const { page } = await open('#/');
    await page.locator('body').press('Tab');
    const walked = new Set<string>();
    for (let step = 0; step < 12 && !walked.has('Campaign ROI analysis'); step += 1) {
      walked.add((await page.evaluate<string>('document.activeElement.textContent')).trim());
      if (walked.has('Campaign ROI analysis')) break;
      await page.keyboard.press('Tab');
    }
    const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle');
    expect(outline).toBe('solid');
    await page.keyboard.press('Enter');
    await page.locator('h1', { hasText: 'Campaign ROI analysis' }).waitFor();
    const reached = new Set<string>();
    for (let step = 0; step < 60; step += 1) {
      await page.keyboard.press('Tab');
      reached.add(await page.evaluate<string>('document.activeElement.localName'));
    }
    expect([...reached]).toEqual(expect.arrayContaining(['a', 'input', 'textarea', 'button']));
  });
});
