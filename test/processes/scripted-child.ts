import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Exchange } from '../../src/processes/exchange.ts';
import { serveRequests } from '../../src/processes/serve.ts';

// The entry of a child process that does what it is told, for better or worse.

type Order = 'echo' | 'fail' | 'die' | 'hold' | 'spin' | 'grow' | 'environment';

export interface Scripted extends Exchange {
  request: { order: Order; words?: string[] };
  part: { word: string } | { pid: number };
  result: { words: string[]; pid: number };
  failure: { why: string; order: Order };
}

const lost: Uint8Array[] = [];

serveRequests<Scripted>({
  async serve({ order, words = [] }, { part, signal }) {
    const { pid } = process;
    part({ pid });
    for (const word of words) part({ word });
    // what was sent has left this process before it is caught
    await nextTurn();
    switch (order) {
      case 'die':
        return process.exit(3);
      case 'fail':
        throw new Error('as it was told');
      case 'hold':
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      case 'environment':
        return { words: Object.keys(process.env), pid };
      case 'grow':
        for (;;) lost.push(new Uint8Array(16_000_000).fill(1));
      case 'spin':
        for (;;);
      case 'echo':
        return { words, pid };
    }
  },
  toFailure: (error, { order }) => ({ why: String(error), order }),
});
