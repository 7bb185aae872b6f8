import { defineConfig } from 'vitest/config';
import { chromiumPath } from './chromium.ts';

if (chromiumPath === null) {
  process.stdout.write('browser: skipped, there is no Chromium in PATH, and CHROMIUM names none\n');
}

/** `npm run test:browser`: what only a browser can say. Apart from the other tests, which need nothing that npm does not install. */
export default defineConfig({
  test: {
    name: 'browser',
    include: ['test/browser/**/*.browser.ts'],
    globalSetup: ['test/global-setup.ts'],
    pool: 'forks',
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
  },
});
