import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const UNIT = 'test/**/*.test.ts';
/** Tests that start a database, a process or a thread, or that load a model, say so in their name. */
const SERVICE = 'test/**/*.service.test.ts';

/**
 * What is waited for comes when it comes, also on a machine that twenty other processes want. A test says nothing of its own: a time that
 * is over ends what hangs, and nothing else.
 */
const patience = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 120_000 } } };

export default defineConfig({
  test: {
    // by default one core is left free, which leaves one: much of a test is waiting for other processes
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        test: {
          name: 'unit',
          include: [UNIT],
          exclude: [SERVICE],
          setupFiles: ['test/unit-setup.ts'],
          // nothing is kept between such tests, so files share what they import: its loading would take most of the time
          isolate: false,
          ...patience,
        },
      },
      {
        test: {
          name: 'service',
          include: [SERVICE],
          globalSetup: ['test/global-setup.ts'],
          pool: 'forks',
          ...patience,
        },
      },
    ],
  },
});
