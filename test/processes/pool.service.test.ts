import { afterEach, describe, expect, it, vi } from 'vitest';
import { createProcessPool, type ProcessPool, type ProcessPoolOptions } from '../../src/processes/pool.ts';
import { workerEntry } from '../../src/worker-entry.ts';
import { isRunning } from './running.ts';
import type { Scripted } from './scripted-child.ts';

let pool: ProcessPool<Scripted>;
afterEach(() => {
  vi.useRealTimers();
  return pool.close();
});

function open(options: Partial<ProcessPoolOptions> = {}): ProcessPool<Scripted> {
  pool = createProcessPool<Scripted>({
    entry: workerEntry(import.meta.url, './scripted-child'),
    size: 1,
    heapMb: 128,
    memoryMb: 512,
    deadlineMs: 60_000,
    requestsAtOnce: 1,
    whenAborted: 'kill',
    ...options,
  });
  return pool;
}

/** The pid of the process that serves a request. */
async function pidOf(words: string[] = []): Promise<number> {
  const outcome = await pool.run({ order: 'echo', words });
  if (outcome.kind !== 'result') expect.unreachable(outcome.kind);
  return outcome.result.pid;
}

/** Starts a request that does not end; resolves when a process is at it. */
async function start(order: 'hold' | 'spin', signal?: AbortSignal) {
  let begun: (pid: number) => void = () => undefined;
  const pid = new Promise<number>((resolve) => {
    begun = resolve;
  });
  const outcome = pool.run({ order }, { signal, onPart: (part) => 'pid' in part && begun(part.pid) });
  outcome.catch(() => undefined);
  return { pid: await pid, outcome };
}

const gone = (pid: number) => expect.poll(() => isRunning(pid)).toBe(false);

describe('createProcessPool', () => {
  it('serves requests in order in a process that it keeps, each with its parts', async () => {
    open();
    const words: string[] = [];
    const note = (part: Scripted['part']) => 'word' in part && words.push(part.word);
    const outcomes = await Promise.all(
      [['a', 'b'], ['c']].map((some) => pool.run({ order: 'echo', words: some }, { onPart: note })),
    );
    expect(words).toEqual(['a', 'b', 'c']);
    expect(outcomes).toMatchObject([{ result: { words: ['a', 'b'] } }, { result: { words: ['c'] } }]);
    expect(await pidOf()).toBe(await pidOf());
  });

  it('tells a process nothing of the environment', async () => {
    process.env.SECRET_OF_THE_SERVICE = 'x';
    const outcome = await open().run({ order: 'environment' });
    delete process.env.SECRET_OF_THE_SERVICE;
    expect(outcome).toMatchObject({
      result: { words: expect.not.arrayContaining(['SECRET_OF_THE_SERVICE']) },
    });
  });

  it('passes on why a request failed, and goes on in the same process', async () => {
    open();
    const before = await pidOf();
    expect(await pool.run({ order: 'fail' })).toEqual({
      kind: 'failure',
      failure: { why: 'Error: as it was told', order: 'fail' },
    });
    expect(await pidOf()).toBe(before);
  });

  it('tells how a process ended, and starts another', async () => {
    open({ memoryMb: 256 });
    expect(await pool.run({ order: 'die' })).toMatchObject({
      kind: 'crashed',
      cause: { message: 'the process ended with code 3, signal null' },
    });
    expect(await pool.run({ order: 'grow' })).toMatchObject({ kind: 'out_of_memory' });
    expect(await pidOf()).toBeGreaterThan(0);
  });

  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'tells that a process was ended from outside by %s',
    async (signal) => {
      open();
      const one = await start('spin');
      process.kill(one.pid, signal);
      expect(await one.outcome).toMatchObject({ kind: 'killed' });
      expect(await pidOf()).not.toBe(one.pid);
    },
  );

  it('ends a process whose request takes too long, with the others that it has', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    open({ requestsAtOnce: 2 });
    const late = await start('spin');
    const other = pool.run({ order: 'echo' });
    const third = pool.run({ order: 'echo' });
    vi.advanceTimersByTime(60_000);
    vi.useRealTimers();
    expect(await late.outcome).toEqual({ kind: 'timed_out' });
    expect(await other).toMatchObject({ kind: 'crashed' });
    expect(await third).toMatchObject({ kind: 'result' });
    await gone(late.pid);
  });

  it('kills the process of a request that is aborted, or tells it', async () => {
    const control = new AbortController();
    open();
    const killed = await start('spin', control.signal);
    const waiting = pool.run({ order: 'echo' }, { signal: control.signal });
    control.abort(new Error('enough'));
    await expect(killed.outcome).rejects.toThrow('enough');
    await expect(waiting).rejects.toThrow('enough');
    await expect(pool.run({ order: 'echo' }, { signal: control.signal })).rejects.toThrow('enough');
    await gone(killed.pid);
    await pool.close();

    const gentle = new AbortController();
    open({ whenAborted: 'tell' });
    const told = await start('hold', gentle.signal);
    gentle.abort(new Error('enough'));
    await expect(told.outcome).rejects.toThrow('enough');
    expect(await pidOf()).toBe(told.pid);
  });

  it('replaces a process after so many requests', async () => {
    open({ requestsPerChild: 2 });
    const pids = [await pidOf(), await pidOf(), await pidOf()];
    expect(pids[1]).toBe(pids[0]);
    expect(pids[2]).not.toBe(pids[0]);
    await gone(pids[0] ?? 0);
  });

  it('starts as many processes as there is work for, and gives an urgent request to a busy one', async () => {
    open({ size: 2, requestsAtOnce: 1 });
    const [one, two] = [await start('hold'), await start('hold')];
    expect(one.pid).not.toBe(two.pid);
    const ended: string[] = [];
    const control = new AbortController();
    const waiting = pool.run({ order: 'echo' }, { signal: control.signal }).then(() => ended.push('waiting'));
    const urgent = await pool.run({ order: 'echo' }, { isUrgent: true });
    expect([one.pid, two.pid]).toContain(urgent.kind === 'result' && urgent.result.pid);
    expect(ended).toEqual([]);
    control.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
  });

  it('starts a process ahead of its first request', async () => {
    open();
    pool.warmUp();
    pool.warmUp();
    expect(await pidOf()).toBe(await pidOf());
  });

  it('ends everything when it is closed, and takes nothing more', async () => {
    open();
    const { pid, outcome } = await start('spin');
    const waiting = pool.run({ order: 'echo' });
    await pool.close();
    expect(isRunning(pid)).toBe(false);
    for (const each of [outcome, waiting, pool.run({ order: 'echo' })]) {
      expect(await each).toEqual({ kind: 'closed' });
    }
  });
});
