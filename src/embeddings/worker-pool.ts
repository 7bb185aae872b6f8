import type { Worker } from 'node:worker_threads';
import type { LocalReply, LocalRequest } from './local-worker.ts';
import { EmbeddingError, type EmbeddingInputType } from './model.ts';

/** One text on its way through the pool. */
interface Job {
  id: number;
  text: string;
  inputType: EmbeddingInputType;
  resolve: (vector: Float32Array) => void;
  reject: (error: Error) => void;
}

interface Slot {
  worker: Worker;
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
 * A few worker threads that embed texts, each started when there is work for it. Documents wait here and are given out
 * one by one; a question goes to a worker at once and overtakes the documents there. A worker that dies fails the texts
 * that it had with a retryable `EmbeddingError`; the next text starts another one. Idle workers do not keep the process
 * alive, busy ones do.
 */
export function createWorkerPool(startWorker: () => Worker, size: number): WorkerPool {
  const slots: Slot[] = [];
  const waiting: Job[] = [];
  let lastId = 0;
  let closed = false;

  const start = (): Slot => {
    const worker = startWorker();
    const slot: Slot = { worker, jobs: new Map() };
    worker.unref();
    worker.on('message', (reply: LocalReply) => settle(slot, reply));
    worker.on('error', (error) => bury(slot, error));
    worker.on('exit', (code) => bury(slot, new Error(`the worker ended with code ${code}`)));
    slots.push(slot);
    return slot;
  };

  const settle = (slot: Slot, reply: LocalReply): void => {
    const job = slot.jobs.get(reply.id);
    slot.jobs.delete(reply.id);
    if ('vector' in reply) job?.resolve(reply.vector);
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

  const post = (slot: Slot, { id, text, inputType }: Job): void => {
    const request: LocalRequest = { id, text, inputType };
    slot.worker.postMessage(request);
  };

  const assign = (slot: Slot, job: Job): void => {
    slot.jobs.set(job.id, job);
    slot.worker.ref();
    post(slot, job);
  };

  const giveOut = (): void => {
    for (let job = waiting[0]; job; job = waiting[0]) {
      const slot = slotFor(job);
      if (!slot) break;
      waiting.shift();
      assign(slot, job);
    }
    for (const slot of slots) if (slot.jobs.size === 0) slot.worker.unref();
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
      const request: LocalRequest = { cancel: job.id };
      if (slot.jobs.delete(job.id)) slot.worker.postMessage(request);
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
      await Promise.all(ending.map(({ worker }) => worker.terminate()));
    },
  };
}
