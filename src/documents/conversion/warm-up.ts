import { chunkingSchema } from '../../contract/chunking.ts';
import { formatOf, UPLOAD_FORMATS } from '../formats/registry.ts';
import { prepareDocument } from './prepare.ts';

/** After so many small documents the code of a conversion is compiled: a large one then takes half as long. */
const ROUNDS = 20;
/** For so long nothing was asked for, in milliseconds, before it begins. */
const IDLE_MS = 1_000;
const PAUSE_MS = 20;
/** A conversion of a sample uses as little of this as any other. */
const MAX_OUTPUT_BYTES = 1_000_000;

const chunking = chunkingSchema.parse({ strategy: 'hierarchical' });

/** Converts and cuts the sample of every format that has one. */
async function practise(): Promise<void> {
  for (const name of UPLOAD_FORMATS) {
    const { sample, convert } = formatOf(name);
    if (!sample) continue;
    const converted = await convert(await sample(), { maxOutputBytes: MAX_OUTPUT_BYTES });
    await prepareDocument(converted, { name, chunking });
  }
}

/**
 * Converts small documents again and again while there is nothing else to do, some tens of milliseconds at a time, so that
 * the first large file does not run in code that is not compiled yet. Whatever goes wrong in it is of no consequence.
 *
 * @returns to be called when a request begins and when it has ended: a rest begins anew
 */
export function warmUpWhenIdle(): { busy(): void; idle(): void } {
  let rounds = 0;
  let timer: NodeJS.Timeout | undefined;

  async function round(): Promise<void> {
    await practise();
    rounds += 1;
  }
  function wait(ms: number): void {
    if (rounds >= ROUNDS) return;
    const mine = setTimeout(() => {
      round().then(
        () => timer === mine && wait(PAUSE_MS),
        () => undefined,
      );
    }, ms);
    timer = mine;
  }
  wait(IDLE_MS);
  return {
    busy() {
      clearTimeout(timer);
      timer = undefined;
    },
    idle: () => wait(IDLE_MS),
  };
}
