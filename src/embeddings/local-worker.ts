import { setImmediate as nextTurn } from 'node:timers/promises';
import { type LocalEncoder, loadLocalEncoder } from './local-encoder.ts';
import type { EmbeddingInputType } from './model.ts';
import { toUnitVector } from './unit.ts';
import type { TextWindow } from './windows.ts';

// The entry of a child process: it embeds texts and holds nothing of the service.

/** To the worker: embed this text, or forget it. */
export type LocalRequest = { id: number; text: string; inputType: EmbeddingInputType } | { cancel: number };

/** From the worker: the vector of a text, or why there is none. */
export type LocalReply = { id: number; vector: Float32Array } | { id: number; error: string };

interface Task {
  id: number;
  text: string;
  /** Cut when the text's turn has come. */
  windows: TextWindow[] | null;
  next: number;
  sum: Float64Array | null;
}

const queries: Task[] = [];
const documents: Task[] = [];
let encoder: LocalEncoder | undefined;
let running = false;

process.on('message', (request: LocalRequest) => {
  if ('cancel' in request) {
    forget(request.cancel);
    return;
  }
  const { id, text, inputType } = request;
  (inputType === 'query' ? queries : documents).push({ id, text, windows: null, next: 0, sum: null });
  if (!running) void work();
});
// without the service there is nothing to do: a worker never outlives it
process.on('disconnect', () => process.exit(0));

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
    forget(task.id);
    send({ id: task.id, error: error instanceof Error ? error.message : String(error) });
  }
}

function finish(task: Task): void {
  const vector = task.sum && toUnitVector(task.sum);
  if (!vector) throw new Error('the encoder gave no vector');
  forget(task.id);
  send({ id: task.id, vector });
}

function forget(id: number): void {
  for (const list of [queries, documents]) {
    const at = list.findIndex((task) => task.id === id);
    if (at >= 0) list.splice(at, 1);
  }
}

function send(reply: LocalReply): void {
  process.send?.(reply);
}
