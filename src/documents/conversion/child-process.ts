import { type ChildProcess, fork } from 'node:child_process';
import { workerEntry } from '../../worker-entry.ts';
import { type ConversionReply, type ConversionRequest, isFinal } from './conversion-messages.ts';

/** How a child process ended. */
export interface ChildExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A process that converts one file at a time. */
export interface ConversionChild {
  /** Sends one request; its replies, or the end of the process before the last of them, come as calls. */
  send(
    request: ConversionRequest,
    onReply: (reply: ConversionReply) => void,
    onExit: (exit: ChildExit) => void,
  ): void;
  /** Whether it still runs. */
  isAlive(): boolean;
  kill(): void;
}

/**
 * A document's tree lives as long as its conversion: with room for it among the young objects it is not copied again and
 * again. In MB; a large file takes a third less time than with the default, 1 to 16.
 */
export const YOUNG_SPACE = ['--min-semi-space-size=16', '--max-semi-space-size=32'];

function keepAlive(child: ChildProcess, busy: boolean): void {
  if (busy) {
    child.ref();
    child.channel?.ref();
  } else {
    child.unref();
    child.channel?.unref();
  }
}

/**
 * Starts a conversion process with a heap of at most `heapMb`, and memory of at most `memoryMb` in all. Its environment is empty: it gets no secret of the service's.
 * While it has nothing to do it does not keep the service's process alive.
 */
export function startConversionChild({
  heapMb,
  memoryMb,
}: {
  heapMb: number;
  memoryMb: number;
}): ConversionChild {
  const entry = workerEntry(import.meta.url, './conversion-child');
  const child = fork(entry.path, [String(memoryMb)], {
    execArgv: [...entry.execArgv, ...YOUNG_SPACE, `--max-old-space-size=${heapMb}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: { NODE_ENV: 'production' },
  });
  keepAlive(child, false);
  let alive = true;
  let onReply: ((reply: ConversionReply) => void) | undefined;
  let onExit: ((exit: ChildExit) => void) | undefined;
  const ended = (exit: ChildExit) => {
    if (!alive) return;
    alive = false;
    onExit?.(exit);
  };
  child.on('message', (reply: ConversionReply) => {
    if (isFinal(reply)) keepAlive(child, false);
    onReply?.(reply);
  });
  child.on('exit', (code, signal) => ended({ code, signal }));
  child.on('error', () => {
    child.kill('SIGKILL');
    ended({ code: null, signal: null });
  });
  return {
    send(request, reply, exit) {
      onReply = reply;
      onExit = exit;
      keepAlive(child, true);
      child.send(request, (error) => {
        if (error !== null) child.kill('SIGKILL');
      });
    },
    isAlive: () => alive && child.connected,
    kill() {
      alive = false;
      child.kill('SIGKILL');
    },
  };
}
