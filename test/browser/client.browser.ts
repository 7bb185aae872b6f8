import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXPECTED } from '../runtimes/scenario.js';
import { addressOfNothing, compileClient, startScenarioService } from '../runtimes/service.ts';
import { chromiumPath, launchBrowser, openPage, type PageServer, servePage } from './chromium.ts';

let folder: string;
let browser: Browser;
let page: PageServer;
let service: Awaited<ReturnType<typeof startScenarioService>>;

describe.skipIf(chromiumPath === null)('the client of TypeScript in a page', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forge-client-'));
    compileClient(folder);
    const modules = (await readdir(folder)).filter((name) => name.endsWith('.js'));
    const scripts = new Map<string, string>();
    for (const name of modules) scripts.set(`/${name}`, await readFile(join(folder, name), 'utf8'));
    scripts.set('/scenario.js', await readFile('test/runtimes/scenario.js', 'utf8'));
    page = await servePage('localhost', undefined, scripts);
    service = await startScenarioService({ CORS_ORIGINS: page.origin });
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
    await page?.close();
    if (folder !== undefined) await rm(folder, { recursive: true });
  });

  it('uploads with progress, streams over a line that breaks, cancels and is refused as elsewhere', async () => {
    const { page: tab, failures } = await openPage(browser, page.origin);
    const modules = "Promise.all([import('/scenario.js'), import('/index.js')])";
    const addresses = JSON.stringify([service.url, await addressOfNothing()]).slice(1, -1);
    const found = await tab.evaluate(
      `${modules}.then(([{ runScenario }, client]) => runScenario(client, ${addresses}))`,
    );
    expect(found).toEqual(EXPECTED);
    const followed = service.asked.filter((one) => /^GET .*\/turns\/1\/events$/.test(one));
    expect(followed).toHaveLength(2);
    expect(failures).toEqual([]);
  });
});
