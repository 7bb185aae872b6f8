import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { startChild } from '../../src/processes/child.ts';
import { workerEntry } from '../../src/worker-entry.ts';
import { isRunning } from './running.ts';
import type { Scripted } from './scripted-child.ts';

const started: { kill(): unknown }[] = [];
afterEach(() => {
  for (const one of started.splice(0)) one.kill();
});

const gone = (pid: number) => expect.poll(() => isRunning(pid)).toBe(false);

/** A process with a pool, and the pid of its child, which is at work on the order. */
async function family(order: 'spin' | 'echo'): Promise<{ parent: ChildProcess; child: number }> {
  const { path, execArgv } = workerEntry(import.meta.url, './scripted-parent');
  const parent = fork(path, [order], { execArgv });
  started.push({ kill: () => parent.kill('SIGKILL') });
  const [child] = (await once(parent, 'message')) as [number];
  started.push({ kill: () => isRunning(child) && process.kill(child, 'SIGKILL') });
  return { parent, child };
}

describe('a child process', () => {
  it.each(['spin', 'echo'] as const)('ends when its parent was killed, at "%s"', async (order) => {
    const { parent, child } = await family(order);
    expect(isRunning(child)).toBe(true);
    parent.kill('SIGKILL');
    await gone(child);
  });

  it('ends by itself when its request is past its deadline', async () => {
    let pid = 0;
    const exit = await new Promise((resolve) => {
      const child = startChild<Scripted>(
        { entry: workerEntry(import.meta.url, './scripted-child'), heapMb: 128, memoryMb: 512 },
        {
          onMessage: (message) => {
            if ('part' in message && 'pid' in message.part) pid = message.part.pid;
          },
          onEnd: resolve,
        },
      );
      started.push(child);
      child.setBusy(true);
      child.send({ id: 1, request: { order: 'spin' }, deadlineMs: 300 });
    });
    expect(exit).toEqual({ code: null, signal: 'SIGALRM' });
    await gone(pid);
  });

  it('may go on when its request was over in time', async () => {
    const ended = vi.fn();
    const results: number[] = [];
    const child = startChild<Scripted>(
      { entry: workerEntry(import.meta.url, './scripted-child'), heapMb: 128, memoryMb: 512 },
      { onMessage: (message) => 'result' in message && results.push(message.id), onEnd: ended },
    );
    started.push(child);
    child.send({ id: 1, request: { order: 'echo' }, deadlineMs: 5_000 });
    child.send({ id: 2, request: { order: 'echo' }, deadlineMs: 60_000 });
    await expect.poll(() => results).toEqual([1, 2]);
    expect(child.isReachable()).toBe(true);
    expect(ended).not.toHaveBeenCalled();
  });
});
