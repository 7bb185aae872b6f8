import type { Chunking } from '../../contract/chunking.ts';
import type { Unserved } from '../../processes/exchange.ts';
import { createProcessPool, type PoolFigures } from '../../processes/pool.ts';
import { isHeavy, WEIGHT, WeighedError, type Weight } from '../../weight.ts';
import { workerEntry } from '../../worker-entry.ts';
import { ConversionError } from '../formats/converted.ts';
import { repairAdvice, type UploadFormat } from '../formats/registry.ts';
import { CONVERSION_STEPS, type Conversion } from './conversion-messages.ts';
import { createAssembly } from './pieces.ts';
import type { PreparedDocument } from './prepare.ts';
import { createRoom } from './room.ts';

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
  /** What the file is taken to weigh. Default: heavy. */
  weight?: Weight;
  /** Called when the file is converted and is about to be cut. */
  onConverted?: () => void;
}

export interface Converter {
  /**
   * Converts one file and cuts it to sections, parents and leaves. Rejects with a `ConversionError` when the file is at
   * fault, with a `WeighedError` when it turned out to be heavy or its process was killed from outside, and with the
   * signal's reason when it is aborted.
   */
  convert(input: ConversionInput, watch?: ConversionWatch): Promise<PreparedDocument>;
  /** Starts a process ahead of the first file. */
  warmUp(): void;
  /** How its processes stand, by pool. */
  processes(): Record<'converter' | 'small_files', PoolFigures>;
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
    case 'killed':
      return new WeighedError('The converter was ended from outside while it read this file.', {
        weight: WEIGHT.alone,
        isPostponed: false,
        cause: outcome.cause,
      });
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

/** In the lane of small files nobody stays longer, in milliseconds: what does is heavy, whatever it looked like. */
const LANE_TIMEOUT_MS = 2_000;
/** A process may take so long to load before it can begin. */
const LANE_START_MS = 10_000;
const LANE_HEAP_MB = 256;

/** Whether a file left the lane of small files because it is heavy. */
const hasOutgrown = ({ kind }: Unserved<Conversion>): boolean =>
  kind === 'timed_out' || kind === 'out_of_memory';

/**
 * Makes the converter of uploads: a small pool of child processes that convert and cut files, text like all others,
 * since what is hostile in a text may take its time too, and one process more that small files have to themselves.
 * Whatever is in a file, at worst its process dies, and the next file gets a new one; the service's own process never
 * waits for a document.
 */
export function createConverter(options: ConverterOptions = {}): Converter {
  const { processes = 1, heapMb = 768, timeoutMs = 30_000, maxOutputBytes = 32_000_000 } = options;
  const { memoryMb = heapMb + 512 } = options;
  const { path, execArgv } = workerEntry(import.meta.url, './conversion-child');
  const common = {
    entry: { path, execArgv: [...execArgv, ...YOUNG_SPACE] },
    requestsAtOnce: 1,
    requestsPerChild: FILES_PER_PROCESS,
    whenAborted: 'kill' as const,
  };
  const pool = createProcessPool<Conversion>({
    ...common,
    trace: { pool: 'converter', steps: CONVERSION_STEPS },
    size: processes,
    heapMb,
    memoryMb,
    deadlineMs: timeoutMs,
  });
  const lane = createProcessPool<Conversion>({
    ...common,
    trace: { pool: 'small_files', steps: CONVERSION_STEPS },
    size: 1,
    heapMb: Math.min(LANE_HEAP_MB, heapMb),
    memoryMb: Math.min(LANE_HEAP_MB + 512, memoryMb),
    deadlineMs: Math.min(LANE_TIMEOUT_MS, timeoutMs),
    startMs: LANE_START_MS,
  });
  const room = createRoom();

  async function convert(
    input: ConversionInput,
    { signal, weight = WEIGHT.heavy, onConverted }: ConversionWatch,
  ) {
    const assembly = createAssembly();
    const isInLane = !isHeavy(weight);
    const outcome = await (isInLane ? lane : pool).run(
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
    if (isInLane && hasOutgrown(outcome)) {
      throw new WeighedError('The file is heavier than it looks.', {
        weight: WEIGHT.heavy,
        isPostponed: true,
      });
    }
    throw failureOf(outcome, input.format, timeoutMs);
  }

  return {
    convert: (input, watch = {}) =>
      watch.weight === WEIGHT.alone
        ? room.alone(() => convert(input, watch), watch.signal)
        : room.shared(() => convert(input, watch), watch.signal),
    warmUp() {
      pool.warmUp();
      lane.warmUp();
    },
    processes: () => ({ converter: pool.figures(), small_files: lane.figures() }),
    async close() {
      await Promise.all([pool.close(), lane.close()]);
    },
  };
}
