import { type ChildProcess, fork } from 'node:child_process';
import type { WorkerEntry } from '../worker-entry.ts';
import type { ChildTerms, Exchange, FromChild, ToChild } from './exchange.ts';

export interface ChildOptions {
  /** The module that the process runs: one that calls `serveRequests`. */
  entry: WorkerEntry;
  /** Most memory of its JavaScript heap, in MB. */
  heapMb: number;
  /** Most memory in all, buffers included, in MB. */
  memoryMb: number;
}

/** How a process ended: both are null when it could not be started or reached. */
export interface ChildExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface ChildEvents<X extends Exchange> {
  onMessage(message: FromChild<X>): void;
  /** Called once. */
  onEnd(exit: ChildExit): void;
}

/** A process that serves requests. */
export interface Child<X extends Exchange> {
  send(message: ToChild<X>): void;
  /** A busy process keeps the service's own one alive, an idle one does not. */
  setBusy(busy: boolean): void;
  /** Whether it can be sent to. */
  isReachable(): boolean;
  /** Ends it at once. Resolves when it has ended. */
  kill(): Promise<void>;
}

/**
 * Starts a process, idle at first. Its environment is empty: it gets no secret of the service's. It ends by itself when
 * the service is gone or a deadline has passed (`serveRequests`).
 */
export function startChild<X extends Exchange>(options: ChildOptions, events: ChildEvents<X>): Child<X> {
  const child = forkChild(options);
  let hasEnded = false;
  let wasKilled = false;
  let settleEnding: () => void = () => undefined;
  const ending = new Promise<void>((resolve) => {
    settleEnding = resolve;
  });
  const end = (exit: ChildExit): void => {
    if (hasEnded) return;
    hasEnded = true;
    settleEnding();
    events.onEnd(exit);
  };
  child.on('exit', (code, signal) => end({ code, signal }));
  child.on('error', () => {
    child.kill('SIGKILL');
    end({ code: null, signal: null });
  });
  child.on('message', (message: FromChild<X>) => events.onMessage(message));
  keepAlive(child, false);
  return {
    send(message) {
      child.send(message, (error) => {
        // how it ended is still to come
        if (error !== null) child.kill('SIGKILL');
      });
    },
    setBusy: (busy) => keepAlive(child, busy),
    isReachable: () => !hasEnded && !wasKilled && child.connected,
    async kill() {
      if (hasEnded) return;
      wasKilled = true;
      child.ref();
      child.kill('SIGKILL');
      await ending;
    },
  };
}

function forkChild({ entry, heapMb, memoryMb }: ChildOptions): ChildProcess {
  const terms: ChildTerms = { parentPid: process.pid, memoryMb };
  return fork(entry.path, [JSON.stringify(terms), ...(entry.args ?? [])], {
    execArgv: [...entry.execArgv, `--max-old-space-size=${heapMb}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: { NODE_ENV: 'production' },
  });
}

function keepAlive(child: ChildProcess, busy: boolean): void {
  for (const part of [child, child.channel]) {
    if (busy) part?.ref();
    else part?.unref();
  }
}
