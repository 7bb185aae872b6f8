import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/global-setup.ts'],
    pool: 'forks',
    // a first start of the embedded database or the local encoder takes seconds on a busy machine
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
