import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { drain, type ShutdownPhase, shutDown } from '../src/shutdown.ts';

let logged: string[];
const write = (details: object, message: string) =>
  void logged.push(
    `${(details as { phase: string }).phase}: ${message.replace('a phase of the shutdown ', '')}`,
  );
const log = { info: write, warn: write, error: write };

beforeEach(() => {
  logged = [];
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const never = () => new Promise<void>(() => undefined);
const lasting = (ms: number) => () => new Promise<void>((resolve) => void setTimeout(resolve, ms));
const phase = (name: string, run: ShutdownPhase['run'], weight = 1): ShutdownPhase => ({ name, weight, run });

async function stop(phases: ShutdownPhase[], totalMs = 1_000): Promise<void> {
  const done = shutDown(phases, { totalMs, log });
  await vi.runAllTimersAsync();
  await done;
}

describe('shutDown', () => {
  it('runs one phase after the other', async () => {
    await stop([phase('turns', lasting(100)), phase('jobs', lasting(10)), phase('parts', () => undefined)]);
    expect(logged).toEqual(['turns: is done', 'jobs: is done', 'parts: is done']);
  });

  it('gives a phase its share of the time, and what the ones before it did not need', async () => {
    const given: number[] = [];
    const note = (then: ShutdownPhase['run']) => (deadlineMs: number) => {
      given.push(deadlineMs);
      return then(deadlineMs);
    };
    await stop([
      phase(
        'refuse',
        note(() => undefined),
        0,
      ),
      phase('turns', note(lasting(100)), 2),
      phase(
        'jobs',
        note(() => undefined),
        1,
      ),
      phase(
        'parts',
        note(() => undefined),
        1,
      ),
    ]);
    expect(given).toEqual([0, 500, 450, 900]);
  });

  it('says which phase is over its deadline, and waits a moment for what it breaks off', async () => {
    const breaksOff = (deadlineMs: number) => lasting(deadlineMs + 100)();
    await stop([phase('turns', breaksOff), phase('parts', () => undefined)]);
    expect(logged).toEqual(['turns: is over its deadline', 'turns: is done', 'parts: is done']);
  });

  it('leaves a phase behind that does not end, and one that fails', async () => {
    const fail = () => Promise.reject(new Error('no'));
    await stop([phase('turns', never), phase('jobs', fail), phase('parts', () => undefined)]);
    expect(logged).toEqual([
      'turns: is over its deadline',
      'turns: was left behind',
      'jobs: failed',
      'parts: is done',
    ]);
  });
});

describe('drain', () => {
  it('lasts as long as it was told, and no time when it was told none', async () => {
    await drain(0, log);
    let isOver = false;
    const draining = drain(5_000, log).then(() => {
      isOver = true;
    });
    await vi.advanceTimersByTimeAsync(4_999);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await draining;
    expect(logged).toEqual(['drain: not ready any more, and serving on']);
  });
});
