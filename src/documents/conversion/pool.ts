import type { Chunking } from '../chunking/settings.ts';
import { ConversionError } from '../formats/converted.ts';
import { repairAdvice, type UploadFormat } from '../formats/registry.ts';
import { type ChildExit, type ConversionChild, startConversionChild } from './child-process.ts';
import { createAssembly } from './pieces.ts';
import type { PreparedDocument } from './prepare.ts';

export interface ConverterOptions {
  /** Files converted at the same time, each in a process of its own. Default 1. */
  processes?: number;
  /** Most memory that such a process may use for its heap, in MB. Default 768. */
  heapMb?: number;
  /** Most memory in all, buffers included, in MB. Default 512 more than the heap. */
  memoryMb?: number;
  /** After this long a conversion is given up. Default 30,000. */
  timeoutMs?: number;
  /** Most bytes of Markdown (UTF-8) that one file may give. Default 32 million. */
  maxOutputBytes?: number;
}

export interface ConversionInput {
  name: string;
  bytes: Uint8Array;
  format: UploadFormat;
  chunking: Chunking;
}

export interface ConversionWatch {
  signal?: AbortSignal;
  /** Called when the file is converted and is about to be cut. */
  onConverted?: () => void;
}

export interface Converter {
  /**
   * Converts one file and cuts it to sections, parents and leaves. Rejects with a `ConversionError` when the file is at
   * fault, and with the signal's reason when it is aborted.
   */
  convert(input: ConversionInput, watch?: ConversionWatch): Promise<PreparedDocument>;
  /** Starts a process ahead of the first file. */
  warmUp(): void;
  /** Ends the processes; what is still waiting is rejected. */
  close(): Promise<void>;
}

interface Job {
  input: ConversionInput;
  onConverted: (() => void) | undefined;
  resolve: (prepared: PreparedDocument) => void;
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

/**
 * V8 aborts a process whose heap is full; the signal's number is added to 128 where a shell is in between. One that
 * takes too much memory besides is killed, by its own watch or by the system.
 */
const OUT_OF_MEMORY: readonly unknown[] = ['SIGABRT', 'SIGTRAP', 'SIGKILL', 133, 134, 137];

function crashed({ code, signal }: ChildExit, format: UploadFormat): ConversionError {
  if (OUT_OF_MEMORY.includes(signal ?? code)) {
    return new ConversionError(
      'conversion_memory',
      'Converting the file needs more memory than is allowed. Split the document, or remove very large tables, and upload it again.',
    );
  }
  return new ConversionError(
    'conversion_crashed',
    `The converter stopped while it read this file. ${repairAdvice(format)}`,
    { cause: new Error(`the conversion process ended with code ${code}, signal ${signal}`) },
  );
}

/**
 * Makes the converter of uploads: a small pool of child processes that convert and cut files, text like all others,
 * since what is hostile in a text may take its time too. Whatever is in a file, at worst its process dies, and the next
 * file gets a new one; the service's own process never waits for a document.
 */
export function createConverter(options: ConverterOptions = {}): Converter {
  const { processes = 1, heapMb = 768, timeoutMs = 30_000, maxOutputBytes = 32_000_000 } = options;
  const { memoryMb = heapMb + 512 } = options;
  const slots = Array.from(
    { length: Math.max(1, processes) },
    (): Slot => ({ child: undefined, busy: false, jobsDone: 0 }),
  );
  const waiting: Job[] = [];
  const running = new Map<Job, () => void>();
  let lastId = 0;
  let closed = false;

  const childOf = (slot: Slot): ConversionChild => {
    if (slot.child?.isAlive() !== true) {
      slot.child = startConversionChild({ heapMb, memoryMb });
      slot.jobsDone = 0;
    }
    return slot.child;
  };

  const run = (slot: Slot, job: Job): void => {
    const child = childOf(slot);
    const assembly = createAssembly();
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
      { id, ...job.input, maxOutputBytes },
      (reply) => {
        if (reply.id !== id || !running.has(job)) return;
        if ('isConverted' in reply) job.onConverted?.();
        else if ('piece' in reply) assembly.add(reply.piece);
        else if ('frame' in reply) settle(() => job.resolve(assembly.finish(reply.frame)), true);
        else {
          const { code, message, cause } = reply.error;
          settle(() => job.reject(new ConversionError(code, message, { cause })), true);
        }
      },
      (exit) => settle(() => job.reject(crashed(exit, job.input.format)), false),
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

  return {
    async convert(input, { signal, onConverted } = {}) {
      signal?.throwIfAborted();
      if (closed) throw new Error('The converter is closed.');
      const { promise, resolve, reject } = withResolvers<PreparedDocument>();
      const job: Job = { input, onConverted, resolve, reject };
      const onAbort = () => drop(job, signal?.reason);
      signal?.addEventListener('abort', onAbort, { once: true });
      waiting.push(job);
      giveOut();
      return promise.finally(() => signal?.removeEventListener('abort', onAbort));
    },
    warmUp() {
      const [first] = slots;
      if (first !== undefined && !closed) childOf(first);
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
