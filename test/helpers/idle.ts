import { expect, vi } from 'vitest';
import type { TestApp } from './app.ts';

/** Until every job is done. */
export const idle = ({ db }: TestApp) =>
  vi.waitFor(async () => expect((await db.query('select kind, last_error from jobs')).rows).toEqual([]), {
    timeout: 120_000,
  });
