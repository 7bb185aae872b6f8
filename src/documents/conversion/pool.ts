import type { Chunking } from '../../contract/chunking.ts';
import type { Unserved } from '../../processes/exchange.ts';
import { createProcessPool } from '../../processes/pool.ts';
import { workerEntry } from '../../worker-entry.ts';
import { ConversionError } from '../formats/converted.ts';
import { repairAdvice, type UploadFormat } from '../formats/registry.ts';
import type { Conversion } from './conversion-messages.ts';
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

/** A process is replaced after this many files, so that what one file leaves behind cannot add up. */
const FILES_PER_PROCESS = 200;

/**
 * A document's tree lives as long as its conversion: with room for it among the young objects it is not copied again and
 * again. In MB; a large file takes a third less time than with the default, 1 to 16.
 */
export const YOUNG_SPACE = ['--min-semi-space-size=16', '--max-semi-space-size=32'];

function failureOf(outcome: Unserved<Conversion>, format: UploadFormat, timeoutMs: number): Error {
  switch (outcome.kind) {
    case 'failure': {
      const { code, message, cause } = outcome.failure;
      return new ConversionError(code, message, { cause });
    }
    case 'timed_out':
      return new ConversionError(
        'conversion_timeout',
        `Converting the file took longer than ${Math.round(timeoutMs / 1000)} seconds and was stopped. ` +
          'Split the document, or remove very large tables, and upload it again.',
      );
    case 'out_of_memory':
      return new ConversionError(
        'conversion_memory',
        'Converting the file needs more memory than is allowed. Split the document, or remove very large tables, and upload it again.',
        { cause: outcome.cause },
      );
    case 'crashed':
      return new ConversionError(
        'conversion_crashed',
        `The converter stopped while it read this file. ${repairAdvice(format)}`,
        { cause: outcome.cause },
      );
    case 'closed':
      return new Error('The converter is closed.');
  }
}

/**
 * Makes the converter of uploads: a small pool of child processes that convert and cut files, text like all others,
 * since what is hostile in a text may take its time too. Whatever is in a file, at worst its process dies, and the next
 * file gets a new one; the service's own process never waits for a document.
 */
export function createConverter(options: ConverterOptions = {}): Converter {
  const { processes = 1, heapMb = 768, timeoutMs = 30_000, maxOutputBytes = 32_000_000 } = options;
  const { memoryMb = heapMb + 512 } = options;
  const { path, execArgv } = workerEntry(import.meta.url, './conversion-child');
  const pool = createProcessPool<Conversion>({
    entry: { path, execArgv: [...execArgv, ...YOUNG_SPACE] },
    size: processes,
    heapMb,
    memoryMb,
    deadlineMs: timeoutMs,
    requestsAtOnce: 1,
    requestsPerChild: FILES_PER_PROCESS,
    whenAborted: 'kill',
  });
  return {
    async convert(input, { signal, onConverted } = {}) {
      const assembly = createAssembly();
      const outcome = await pool.run(
        { ...input, maxOutputBytes },
        {
          signal,
          onPart: (part) => {
            if ('piece' in part) assembly.add(part.piece);
            else onConverted?.();
          },
        },
      );
      if (outcome.kind === 'result') return assembly.finish(outcome.result);
      throw failureOf(outcome, input.format, timeoutMs);
    },
    warmUp: pool.warmUp,
    close: pool.close,
  };
}
