import { type ChildExit, type ConversionChild, startConversionChild } from './child-process.ts';
import { ConversionError, type Converted } from './converted.ts';
import type { UploadFormat } from './detect.ts';
import { convertMarkdown } from './markdown.ts';
import { convertText } from './text.ts';

export interface ConverterOptions {
  /** Word files converted at the same time, each in a process of its own. Default 1. */
  processes?: number;
  /** Most memory that such a process may use for its heap, in MB. Default 768. */
  heapMb?: number;
  /** After this long a conversion is given up. Default 30,000. */
  timeoutMs?: number;
  /** Most bytes of Markdown (UTF-8) that one file may give. Default 32 million. */
  maxOutputBytes?: number;
}

export interface ConversionInput {
  name: string;
  bytes: Uint8Array;
  format: UploadFormat;
}

export interface Converter {
  /**
   * Converts one file. Rejects with a `ConversionError` when the file is at fault, and with the signal's reason when it is
   * aborted.
   */
  convert(input: ConversionInput, signal?: AbortSignal): Promise<Converted>;
  /** Ends the processes; what is still waiting is rejected. */
  close(): Promise<void>;
}

interface Job {
  bytes: Uint8Array;
  resolve: (converted: Converted) => void;
  reject: (error: unknown) => void;
}

interface Slot {
  child: ConversionChild | undefined;
  busy: boolean;
  jobsDone: number;
}

/** A process is replaced after this many files, so that what one file leaves behind cannot add up. */
const JOBS_PER_PROCESS = 200;

function timedOut(timeoutMs: number): ConversionError {
  return new ConversionError(
    'conversion_timeout',
    `Converting the file took longer than ${Math.round(timeoutMs / 1000)} seconds and was stopped. ` +
      'Split the document, or remove very large tables, and upload it again.',
  );
}

/** V8 aborts a process whose heap is full; the signal's number is added to 128 where a shell is in between. */
function crashed({ code, signal }: ChildExit): ConversionError {
  if (signal === 'SIGABRT' || signal === 'SIGTRAP' || code === 134 || code === 133) {
    return new ConversionError(
      'conversion_memory',
      'Converting the file needs more memory than is allowed. Split the document, or remove very large tables, and upload it again.',
    );
  }
  return new ConversionError(
    'conversion_crashed',
    'The converter stopped while it read this file. Open the file in Word, save it again as .docx, and upload that.',
    { cause: new Error(`the conversion process ended with code ${code}, signal ${signal}`) },
  );
}

/**
 * Makes the converter of uploads. Text is converted at once. Word files go to a small pool of child processes, started when
 * the first one comes: whatever is in a file, at worst its process dies, and the next file gets a new one.
 */
export function createConverter(options: ConverterOptions = {}): Converter {
  const { processes = 1, heapMb = 768, timeoutMs = 30_000, maxOutputBytes = 32_000_000 } = options;
  const slots = Array.from(
    { length: Math.max(1, processes) },
    (): Slot => ({ child: undefined, busy: false, jobsDone: 0 }),
  );
  const waiting: Job[] = [];
  const running = new Map<Job, () => void>();
  let lastId = 0;
  let closed = false;

  const run = (slot: Slot, job: Job): void => {
    if (slot.child?.isAlive() !== true) {
      slot.child = startConversionChild(heapMb);
      slot.jobsDone = 0;
    }
    const { child } = slot;
    lastId += 1;
    const id = lastId;
    slot.busy = true;
    const settle = (outcome: () => void, keep: boolean): void => {
      if (!running.delete(job)) return;
      clearTimeout(timer);
      slot.busy = false;
      slot.jobsDone += 1;
      if (!keep || slot.jobsDone >= JOBS_PER_PROCESS) {
        child.kill();
        slot.child = undefined;
      }
      outcome();
      giveOut();
    };
    const timer = setTimeout(() => settle(() => job.reject(timedOut(timeoutMs)), false), timeoutMs);
    running.set(job, () => settle(() => {}, false));
    child.send(
      { id, bytes: job.bytes, maxOutputBytes },
      (reply) => {
        if (reply.id !== id) return;
        settle(() => {
          if ('converted' in reply) job.resolve(reply.converted);
          else
            job.reject(
              new ConversionError(reply.error.code, reply.error.message, { cause: reply.error.cause }),
            );
        }, true);
      },
      (exit) => settle(() => job.reject(crashed(exit)), false),
    );
  };

  const giveOut = (): void => {
    if (closed) return;
    for (const slot of slots) {
      if (slot.busy) continue;
      const job = waiting.shift();
      if (job === undefined) return;
      run(slot, job);
    }
  };

  const drop = (job: Job, reason: unknown): void => {
    const at = waiting.indexOf(job);
    if (at !== -1) waiting.splice(at, 1);
    running.get(job)?.();
    job.reject(reason);
  };

  const convertInChild = (bytes: Uint8Array, signal: AbortSignal | undefined): Promise<Converted> => {
    const { promise, resolve, reject } = withResolvers<Converted>();
    const job: Job = { bytes, resolve, reject };
    const onAbort = () => drop(job, signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    waiting.push(job);
    giveOut();
    return promise.finally(() => signal?.removeEventListener('abort', onAbort));
  };

  return {
    async convert({ bytes, format }, signal) {
      signal?.throwIfAborted();
      if (closed) throw new Error('The converter is closed.');
      if (format === 'markdown') return convertMarkdown(bytes);
      if (format === 'text') return convertText(bytes);
      return convertInChild(bytes, signal);
    },
    async close() {
      closed = true;
      for (const job of [...waiting, ...running.keys()]) drop(job, new Error('The converter is closed.'));
      for (const slot of slots) slot.child?.kill();
    },
  };
}

/** `Promise.withResolvers`, which Node 20 does not have. */
function withResolvers<T>(): {
  promise: Promise<T>;
  resolve: (value: T) => void;
  reject: (error: unknown) => void;
} {
  let resolve: (value: T) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}
