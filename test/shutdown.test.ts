import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createStop, type ShutdownPhase, shutDown } from '../src/shutdown.ts';

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

describe('createStop', () => {
  const state = ({ draining, stopping }: ReturnType<typeof createStop>) => [
    draining.aborted,
    stopping.aborted,
  ];

  it('is not ready at once, and refuses nothing before the delay is over', async () => {
    const process = createStop({ delayMs: 5_000, totalMs: 1_000, log });
    const drained = process.drain().then(() => process.close([phase('parts', () => undefined)]));
    await vi.advanceTimersByTimeAsync(4_999);
    expect(state(process)).toEqual([true, false]);
    await vi.advanceTimersByTimeAsync(1);
    await drained;
    expect(state(process)).toEqual([true, true]);
    expect(logged).toEqual([
      'drain: not ready any more, and serving on',
      'refuse: is done',
      'parts: is done',
    ]);
  });

  it('without a delay waits for nothing, and runs its phases once', async () => {
    const process = createStop({ delayMs: 0, totalMs: 1_000, log });
    await process.drain();
    const phases = [phase('parts', () => undefined)];
    await Promise.all([process.close(phases), process.close(phases)]);
    expect(logged).toEqual(['refuse: is done', 'parts: is done']);
  });
});
