import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Exchange } from '../processes/exchange.ts';
import { serveRequests } from '../processes/serve.ts';
import { type LocalEncoder, loadLocalEncoder } from './local-encoder.ts';
import type { EmbeddingInputType } from './model.ts';
import { toUnitVector } from './unit.ts';
import type { TextWindow } from './windows.ts';

// The entry of a child process: it embeds texts and holds nothing of the service.

/** What the children that embed are asked, and what they answer. */
export interface LocalEmbedding extends Exchange {
  request: { text: string; inputType: EmbeddingInputType };
  part: never;
  result: Float32Array;
  /** What was wrong. */
  failure: string;
}

interface Task {
  text: string;
  /** Cut when the text's turn has come. */
  windows: TextWindow[] | null;
  next: number;
  sum: Float64Array | null;
  resolve(vector: Float32Array): void;
  reject(error: unknown): void;
}

const queries: Task[] = [];
const documents: Task[] = [];
let encoder: LocalEncoder | undefined;
let running = false;

serveRequests<LocalEmbedding>({
  serve: ({ text, inputType }, { signal }) =>
    new Promise((resolve, reject) => {
      const task: Task = { text, windows: null, next: 0, sum: null, resolve, reject };
      (inputType === 'query' ? queries : documents).push(task);
      signal.addEventListener('abort', () => forget(task), { once: true });
      if (!running) void work();
    }),
  toFailure: (error) => (error instanceof Error ? error.message : String(error)),
});

/**
 * Embeds window by window and looks into the mail after each, so that a question waits for one window at most, however
 * long the text is that is being embedded.
 */
async function work(): Promise<void> {
  running = true;
  for (let task = queries[0] ?? documents[0]; task; task = queries[0] ?? documents[0]) {
    await step(task);
    await nextTurn();
  }
  running = false;
}

async function load(): Promise<LocalEncoder> {
  const loaded = await loadLocalEncoder();
  // what was read and written on the way is as large as the encoder, and nothing else would make it go soon
  globalThis.gc?.();
  return loaded;
}

async function step(task: Task): Promise<void> {
  try {
    encoder ??= await load();
    task.windows ??= encoder.windows(task.text);
    const window = task.windows[task.next];
    if (window) {
      const vector = await encoder.encode(window);
      task.sum ??= new Float64Array(vector.length);
      for (const [i, value] of vector.entries()) task.sum[i] = (task.sum[i] ?? 0) + value * window.weight;
      task.next += 1;
    }
    if (task.next >= task.windows.length) finish(task);
  } catch (error) {
    forget(task);
    task.reject(error);
  }
}

function finish(task: Task): void {
  const vector = task.sum && toUnitVector(task.sum);
  if (!vector) throw new Error('the encoder gave no vector');
  forget(task);
  task.resolve(vector);
}

function forget(task: Task): void {
  for (const list of [queries, documents]) {
    const at = list.indexOf(task);
    if (at >= 0) list.splice(at, 1);
  }
}
