import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { LocalReply, LocalRequest } from './local-worker.ts';

/** A child process that embeds texts. */
export interface WorkerProcess {
  send(request: LocalRequest): void;
  /** A busy worker keeps the service's process alive, an idle one does not. */
  setBusy(busy: boolean): void;
  onReply(listen: (reply: LocalReply) => void): void;
  /** Called once, when the process has ended or cannot be reached any more. */
  onEnd(listen: (cause: Error) => void): void;
  /** Ends it at once. Resolves when it has ended. */
  kill(): Promise<void>;
}

/**
 * Starts a worker. It is a process and not a thread, because the runtime of the encoder takes the whole process down with
 * it when a thread ends that is at work. Its environment is empty: it gets no secret of the service's.
 */
export function startWorkerProcess({ path, execArgv }: { path: string; execArgv: string[] }): WorkerProcess {
  const child = fork(path, [], {
    execArgv,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: { NODE_ENV: 'production' },
  });
  let ended = false;
  const listeners: ((cause: Error) => void)[] = [];
  const end = (cause: Error): void => {
    if (ended) return;
    ended = true;
    child.kill('SIGKILL');
    for (const listen of listeners) listen(cause);
  };
  child.on('error', end);
  child.on('exit', (code, signal) => end(new Error(`the worker ended with ${signal ?? `code ${code}`}`)));
  const setBusy = (busy: boolean): void => {
    for (const part of [child, child.channel]) {
      if (busy) part?.ref();
      else part?.unref();
    }
  };
  setBusy(false);
  return {
    send: (request) => {
      child.send(request, (error) => {
        if (error !== null) end(error);
      });
    },
    setBusy,
    onReply: (listen) => {
      child.on('message', (reply: LocalReply) => listen(reply));
    },
    onEnd: (listen) => {
      listeners.push(listen);
    },
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
      child.ref();
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}
