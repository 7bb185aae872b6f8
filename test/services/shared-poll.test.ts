import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSharedPoll, type Watched } from '../../src/services/shared-poll.ts';
import { gate } from '../helpers/gate.ts';

const LOST = -1;

/** A store of numbers, and the poll that watches it. */
function watchedNumbers() {
  const numbers = new Map<string, number>();
  const looks: string[][] = [];
  const errors: unknown[] = [];
  let before: () => Promise<void> = async () => undefined;
  const poll = createSharedPoll<string, number>({
    nameOf: (key) => key,
    async readChanged(watched: readonly Watched<string>[]) {
      looks.push(watched.map(({ key }) => key));
      const seen = watched.map(({ key, stamp }, place) => ({
        place,
        known: stamp,
        value: numbers.get(key) ?? 0,
      }));
      await before();
      return seen
        .filter(({ known, value }) => String(value) !== known)
        .map(({ place, value }) => ({ place, stamp: String(value), value }));
    },
    outage: { failed: (error) => errors.push(error), succeeded: () => undefined },
    lostWith: () => LOST,
    retryMs: 1,
  });
  return {
    ...poll,
    numbers,
    looks,
    errors,
    /** What happens in every look between reading and answering. */
    during(work: () => Promise<void>): void {
      before = work;
    },
  };
}

const forever = (): AbortSignal => new AbortController().signal;

/** Values until one of them is at least this. */
async function until(values: AsyncIterable<number>, last: number): Promise<number[]> {
  const seen: number[] = [];
  for await (const value of values) {
    seen.push(value);
    if (value >= last) break;
  }
  return seen;
}

it('looks once for any number of listeners, and not at all when nobody listens', async () => {
  const poll = watchedNumbers();
  const ends = Array.from({ length: 1_000 }, (_, index) => until(poll.watch(`k${index % 20}`, forever()), 1));
  await expect.poll(() => poll.looks.length).toBeGreaterThan(0);
  expect(poll.looks[0]).toHaveLength(20);
  for (let key = 0; key < 20; key++) poll.numbers.set(`k${key}`, 1);
  const seen = await Promise.all(ends);
  expect(seen.every((values) => values.at(-1) === 1)).toBe(true);
  const { length } = poll.looks;
  poll.nudge();
  await poll.watch('other', AbortSignal.timeout(100)).next();
  expect(poll.looks.slice(length).every((keys) => keys.join() === 'other')).toBe(true);
});

it('tells nobody of what was found before he asked', async () => {
  const poll = watchedNumbers();
  poll.numbers.set('k', 7);
  const first = poll.watch('k', forever());
  expect(await first.next()).toMatchObject({ value: 7 });
  const inLook = gate();
  const goOn = gate();
  poll.during(async () => {
    inLook.open();
    await goOn.opened;
  });
  poll.nudge();
  await inLook.opened;
  // the look that is under way has read 7 already
  poll.numbers.set('k', 1);
  const second = poll.watch('k', forever()).next();
  goOn.open();
  expect(await second).toMatchObject({ value: 1 });
  await first.return(undefined);
});

it('keeps only the newest for one who reads slowly', async () => {
  const poll = watchedNumbers();
  const slow = poll.watch('k', forever());
  expect(await slow.next()).toMatchObject({ value: 0 });
  const quick = until(poll.watch('k', forever()), 3);
  for (const value of [1, 2, 3]) {
    poll.numbers.set('k', value);
    const { length } = poll.looks;
    await expect.poll(() => poll.looks.length, { interval: 1 }).toBeGreaterThan(length + 1);
  }
  await quick;
  expect(await slow.next()).toMatchObject({ value: 3 });
  await slow.return(undefined);
});

it('looks again when a look has failed', async () => {
  const poll = watchedNumbers();
  let fails = 2;
  poll.during(async () => {
    if (fails-- > 0) throw new Error('no connection');
  });
  expect(await until(poll.watch('k', forever()), 0)).toEqual([0]);
  expect(poll.errors).toHaveLength(2);
});

describe('while looks fail', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
  afterEach(() => void vi.useRealTimers());

  /** Looks of so many seconds, of which all fail, while those who wait ask for one all the time. */
  async function failingFor(seconds: number) {
    const poll = watchedNumbers();
    poll.during(() => Promise.reject(new Error('no connection')));
    const told: number[] = [];
    const stop = new AbortController();
    const follow = async () => {
      for await (const value of poll.watch('k', stop.signal)) told.push(value);
    };
    const followed = follow();
    for (let ms = 0; ms < seconds * 1_000; ms += 10) {
      poll.nudge();
      await vi.advanceTimersByTimeAsync(10);
    }
    stop.abort();
    await followed;
    return { looks: poll.looks.length, told };
  }

  it('there is a rest between them that grows to a second, whoever asks', async () => {
    const { looks } = await failingFor(60);
    expect(looks).toBeGreaterThan(60);
    expect(looks).toBeLessThan(140);
  });

  it('those who wait are told after some seconds', async () => {
    expect((await failingFor(0.2)).told).toEqual([]);
    expect((await failingFor(10)).told[0]).toBe(LOST);
  });
});

it('ends with the signal', async () => {
  const poll = watchedNumbers();
  const end = new AbortController();
  const values = poll.watch('k', end.signal);
  await values.next();
  const next = values.next();
  end.abort();
  expect(await next).toMatchObject({ done: true });
});
