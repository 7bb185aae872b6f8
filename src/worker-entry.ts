import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

/** How to start a module of ours in a child process of its own. */
export interface WorkerEntry {
  path: string;
  execArgv: string[];
  /** What the module finds in `process.argv` behind the terms of its pool. Default none. */
  args?: string[];
}

const isSource = (caller: string): boolean => caller.endsWith('.ts');

/**
 * The entry of a child process: a module beside the caller, from source (`.ts`, through tsx) and from the build alike.
 *
 * @param caller `import.meta.url` of the calling module
 * @param name file name without extension, relative to the caller: `'./conversion-child'`
 */
export function workerEntry(caller: string, name: string): WorkerEntry {
  const source = isSource(caller);
  return {
    path: fileURLToPath(new URL(`${name}${source ? '.ts' : '.js'}`, caller)),
    execArgv: source ? ['--import', 'tsx'] : [],
  };
}

/**
 * Starts a module beside the caller in a worker thread, from source and from the build alike. Node 20 does not hand
 * `--import` hooks to worker threads, so from source a line of JavaScript registers tsx there first.
 */
export function startThread(caller: string, name: string, workerData: Record<string, unknown>): Worker {
  const { path } = workerEntry(caller, name);
  if (!isSource(caller)) return new Worker(path, { workerData });
  const bootstrap = `import('tsx/esm/api').then((tsx) => { tsx.register(); return import(${JSON.stringify(path)}); })`;
  return new Worker(bootstrap, { eval: true, workerData });
}
