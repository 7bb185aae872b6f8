import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Encoder, EncoderWindow } from './encoder.ts';
import type { EmbeddingInputType } from './model.ts';
import { toUnitVector } from './unit.ts';

/** What waits for an encoder. */
export interface EncoderQueue {
  /** The unit-length vector of a text. An abort only takes it off the queue: nobody waits for the answer any more. */
  embed(text: string, inputType: EmbeddingInputType, signal: AbortSignal): Promise<Float32Array>;
}

/** A text of which some windows are still to be encoded. */
interface Task {
  open: number;
  sum: Float64Array | null;
  resolve(vector: Float32Array): void;
  reject(error: unknown): void;
}

interface Entry<W> {
  task: Task;
  window: W;
}

/**
 * Takes the first of those that wait, and those nearest to it in length, while there is room for all of them at the length
 * of the longest: what is padded is computed as well.
 */
export function takeBatch<T extends { window: EncoderWindow }>(waiting: T[], room: number): T[] {
  const [first] = waiting;
  if (!first) return [];
  const { length } = first.window;
  const distance = ({ window }: T): number => Math.abs(window.length - length);
  const batch = [first];
  let longest = length;
  for (const entry of waiting.slice(1).toSorted((a, b) => distance(a) - distance(b))) {
    const padded = Math.max(longest, entry.window.length);
    if (padded * (batch.length + 1) > room) break;
    longest = padded;
    batch.push(entry);
  }
  const taken = new Set(batch);
  waiting.splice(0, waiting.length, ...waiting.filter((entry) => !taken.has(entry)));
  return batch;
}

/**
 * Encodes a batch of windows at a time and looks into the mail after each, so that a question waits for one batch at most,
 * however long the texts are that are being embedded.
 */
export function createEncoderQueue<W extends EncoderWindow>(encoder: Encoder<W>): EncoderQueue {
  const queries: Entry<W>[] = [];
  const documents: Entry<W>[] = [];
  let isRunning = false;

  function forget(task: Task): void {
    for (const list of [queries, documents]) {
      list.splice(0, list.length, ...list.filter((entry) => entry.task !== task));
    }
  }
  async function encode(batch: readonly Entry<W>[]): Promise<void> {
    try {
      const vectors = await encoder.encode(batch.map(({ window }) => window));
      for (const [index, { task, window }] of batch.entries()) addTo(task, vectors[index], window.weight);
    } catch (error) {
      for (const { task } of batch) {
        forget(task);
        task.reject(error);
      }
    }
  }
  async function work(): Promise<void> {
    isRunning = true;
    for (;;) {
      const batch = takeBatch(queries.length > 0 ? queries : documents, encoder.roomAtOnce);
      if (batch.length === 0) break;
      await encode(batch);
      await nextTurn();
    }
    isRunning = false;
  }

  return {
    embed: (text, inputType, signal) =>
      new Promise((resolve, reject) => {
        const windows = encoder.windows(text, inputType);
        const task: Task = { open: windows.length, sum: null, resolve, reject };
        const list = inputType === 'query' ? queries : documents;
        list.push(...windows.map((window) => ({ task, window })));
        signal.addEventListener('abort', () => forget(task), { once: true });
        if (!isRunning) void work();
      }),
  };
}

/** Adds the vector of a window to that of its text, which is done when it was the last. */
function addTo(task: Task, vector: Float32Array | undefined, weight: number): void {
  if (!vector) throw new Error('the encoder gave no vector');
  task.sum ??= new Float64Array(vector.length);
  for (const [i, value] of vector.entries()) task.sum[i] = (task.sum[i] ?? 0) + value * weight;
  task.open -= 1;
  if (task.open > 0) return;
  const whole = toUnitVector(task.sum);
  if (!whole) throw new Error('the encoder gave no vector');
  task.resolve(whole);
}
