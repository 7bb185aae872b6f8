import { expect, it } from 'vitest';
import { watchSpeculation } from '../../../src/services/turns/speculation.ts';

/** A search on a clock that is set by hand. */
function speculate() {
  const clock = { ms: 2.04 };
  let end: { resolve: () => void; reject: (error: Error) => void } | undefined;
  const search = new Promise<void>((resolve, reject) => {
    end = { resolve, reject };
  });
  const speculation = watchSpeculation(search, 'root-cause-depth', () => clock.ms);
  return {
    speculation,
    routeAt(ms: number, outcome: 'used' | 'not_needed' = 'used') {
      clock.ms = ms;
      speculation.routed(outcome);
    },
    async endAt(ms: number, error?: Error) {
      clock.ms = ms;
      if (error) end?.reject(error);
      else end?.resolve();
      await search.catch(() => undefined);
    },
  };
}

it('overlaps with the routing for as long as it takes, when it ends first', async () => {
  const { speculation, endAt, routeAt } = speculate();
  expect(speculation.view()).toBeNull();
  await endAt(30.26);
  routeAt(410);
  expect(speculation.view()).toEqual({
    probe: 'root-cause-depth',
    started_ms: 2,
    finished_ms: 30.3,
    route_finished_ms: 410,
    overlap_ms: 28.2,
    used: true,
    outcome: 'used',
  });
});

it('overlaps for as long as the routing takes, when it ends later', async () => {
  const { speculation, endAt, routeAt } = speculate();
  routeAt(12.04);
  await endAt(50);
  expect(speculation.view()).toMatchObject({ overlap_ms: 10, finished_ms: 50 });
});

it('may never have ended when it was thrown away, and may have failed', async () => {
  const { speculation, endAt, routeAt } = speculate();
  routeAt(12.04, 'not_needed');
  expect(speculation.view()).toMatchObject({
    finished_ms: null,
    overlap_ms: 10,
    used: false,
    outcome: 'not_needed',
  });
  await endAt(20, new Error('the provider is down'));
  expect(speculation.view()).toMatchObject({ finished_ms: 20 });
});
