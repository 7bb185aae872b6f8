import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { delimiter, join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';

/** Names that Chromium and its kin go by, the freest first. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

function findChromium(): string | null {
  const given = process.env.CHROMIUM;
  if (given) return given;
  const folders = (process.env.PATH ?? '').split(delimiter);
  const places = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return places.find((place) => existsSync(place)) ?? null;
}

/** Where Chromium is: what `CHROMIUM` says, else the first in `PATH`; null: there is none, and nothing to test with. */
export const chromiumPath = findChromium();

/** A browser without a window; nothing of it outlives `close`. */
export async function launchBrowser(): Promise<Browser> {
  if (chromiumPath === null) throw new Error('there is no Chromium');
  // containers allow no sandbox of its own; every page here is ours
  return chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox', '--disable-gpu'] });
}

/** A server of one page, under an origin of its own. */
export interface PageServer {
  origin: string;
  close(): Promise<void>;
}

/**
 * Serves a page.
 *
 * @param host of its origin: `localhost` and `127.0.0.1` are two sites to a browser
 * @param scripts that the page may import, by their paths
 */
export async function servePage(
  host: 'localhost' | '127.0.0.1',
  html = '<!doctype html><title>Page</title>',
  scripts: ReadonlyMap<string, string> = new Map(),
): Promise<PageServer> {
  const server = createServer((request, response) => {
    const script = scripts.get(request.url ?? '');
    const type = script === undefined ? 'text/html' : 'text/javascript';
    response.setHeader('content-type', `${type}; charset=utf-8`).end(script ?? html);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    origin: `http://${host}:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** A new page at an address, in a profile of its own, whose unexpected failures fail the test. */
export async function openPage(browser: Browser, url: string): Promise<{ page: Page; failures: string[] }> {
  const page = await (await browser.newContext()).newPage();
  const failures: string[] = [];
  page.on('pageerror', (error) => failures.push(error.message));
  await page.goto(url);
  return { page, failures };
}
