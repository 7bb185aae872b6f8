import type { LocalReply } from './local-worker.ts';
import { EmbeddingError, type EmbeddingInputType } from './model.ts';
import type { WorkerProcess } from './worker-process.ts';

/** One text on its way through the pool. */
interface Job {
  id: number;
  text: string;
  inputType: EmbeddingInputType;
  resolve: (vector: Float32Array) => void;
  reject: (error: Error) => void;
}

interface Slot {
  worker: WorkerProcess;
  jobs: Map<number, Job>;
}

export interface WorkerPool {
  /** The vector of one text. An abort rejects at once with the signal's reason. */
  run(text: string, inputType: EmbeddingInputType, signal: AbortSignal | undefined): Promise<Float32Array>;
  close(): Promise<void>;
}

// One text at work and one in the worker's mail: the worker never idles, and little is lost when it dies.
const DOCUMENTS_PER_WORKER = 2;

/**
 * A few worker processes that embed texts, each started when there is work for it. Documents wait here and are given out
 * one by one; a question goes to a worker at once and overtakes the documents there. A worker that dies fails the texts
 * that it had with a retryable `EmbeddingError`; the next text starts another one. Idle workers do not keep the process
 * alive, busy ones do.
 */
export function createWorkerPool(startWorker: () => WorkerProcess, size: number): WorkerPool {
  const slots: Slot[] = [];
  const waiting: Job[] = [];
  let lastId = 0;
  let closed = false;

  const start = (): Slot => {
    const worker = startWorker();
    const slot: Slot = { worker, jobs: new Map() };
    worker.onReply((reply) => settle(slot, reply));
    worker.onEnd((cause) => bury(slot, cause));
    slots.push(slot);
    return slot;
  };

  const settle = (slot: Slot, reply: LocalReply): void => {
    const job = slot.jobs.get(reply.id);
    slot.jobs.delete(reply.id);
    // a copy: what a process sends is a view of the whole message
    if ('vector' in reply) job?.resolve(new Float32Array(reply.vector));
    else job?.reject(new EmbeddingError(`Local embedding failed: ${reply.error}`, { retryable: false }));
    giveOut();
  };

  const bury = (slot: Slot, cause: Error): void => {
    const at = slots.indexOf(slot);
    if (at < 0) return;
    slots.splice(at, 1);
    for (const job of slot.jobs.values()) {
      job.reject(new EmbeddingError('The local embedding worker died', { retryable: true, cause }));
    }
    giveOut();
  };

  const assign = (slot: Slot, job: Job): void => {
    slot.jobs.set(job.id, job);
    slot.worker.setBusy(true);
    slot.worker.send({ id: job.id, text: job.text, inputType: job.inputType });
  };

  const giveOut = (): void => {
    for (let job = waiting[0]; job; job = waiting[0]) {
      const slot = slotFor(job);
      if (!slot) break;
      waiting.shift();
      assign(slot, job);
    }
    for (const slot of slots) if (slot.jobs.size === 0) slot.worker.setBusy(false);
  };

  const slotFor = (job: Job): Slot | undefined => {
    const [free] = slots.toSorted((a, b) => a.jobs.size - b.jobs.size);
    // loading the model takes longer than a question waits for a busy worker
    if (job.inputType === 'query') return free ?? start();
    if (free && free.jobs.size === 0) return free;
    if (slots.length < size) return start();
    return free && free.jobs.size < DOCUMENTS_PER_WORKER ? free : undefined;
  };

  const cancel = (job: Job): void => {
    const at = waiting.indexOf(job);
    if (at >= 0) waiting.splice(at, 1);
    for (const slot of slots) {
      if (slot.jobs.delete(job.id)) slot.worker.send({ cancel: job.id });
    }
    giveOut();
  };

  return {
    run: (text, inputType, signal) =>
      new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        if (closed) throw new EmbeddingError('The local embedding model is closed', { retryable: false });
        lastId += 1;
        const onAbort = (): void => {
          cancel(job);
          reject(signal?.reason);
        };
        const done = (): void => signal?.removeEventListener('abort', onAbort);
        const job: Job = {
          id: lastId,
          text,
          inputType,
          resolve: (vector) => {
            done();
            resolve(vector);
          },
          reject: (error) => {
            done();
            reject(error);
          },
        };
        signal?.addEventListener('abort', onAbort, { once: true });
        if (inputType === 'query') waiting.unshift(job);
        else waiting.push(job);
        giveOut();
      }),
    close: async () => {
      closed = true;
      const ended = new EmbeddingError('The local embedding model is closed', { retryable: false });
      for (const job of waiting.splice(0)) job.reject(ended);
      const ending = slots.splice(0);
      for (const { jobs } of ending) for (const job of jobs.values()) job.reject(ended);
      await Promise.all(ending.map(({ worker }) => worker.kill()));
    },
  };
}
