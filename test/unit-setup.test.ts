import { fork, spawn } from 'node:child_process';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';

it.each([
  ['process', () => spawn('true')],
  ['Node.js process', () => fork('nothing.js')],
  ['thread, in which the embedded database runs', () => new Worker('nothing.js')],
  ['model, whose runtime is native code', () => process.dlopen({ exports: {} }, 'nothing.node')],
])('refuses to a unit test to start a %s', (_, start) => {
  expect(start).toThrow('*.service.test.ts');
});
