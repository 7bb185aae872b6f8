import { setImmediate as nextTurn } from 'node:timers/promises';
import type { OutageLog } from './outage-log.ts';
import { createPace } from './pace.ts';

/** What is watched, and what was last found of it; an empty stamp: nothing yet. */
export interface Watched<K> {
  key: K;
  stamp: string;
}

/** What was found of the key at this place of the list; its stamp changes whenever it does. */
export interface Found<V> {
  place: number;
  stamp: string;
  value: V;
}

export interface SharedPollOptions<K, V> {
  nameOf(key: K): string;
  /** Gives, with one statement for all of them, what has another stamp than the one that is known. */
  readChanged(watched: readonly Watched<K>[]): Promise<Found<V>[]>;
  outage: OutageLog;
  /** What all are told when look after look has failed for some seconds; without it they wait for as long as it takes. */
  lostWith?(error: unknown): V;
  /** The rest after the first look that fails; it doubles with each that fails after it, to a second. In milliseconds. */
  retryMs?: number | undefined;
}

export interface SharedPoll<K, V> {
  /** The newest value, and again whenever it has changed, until the signal ends; what a slow reader misses it does not get. */
  watch(key: K, signal: AbortSignal): AsyncGenerator<V>;
  /** Looks as soon as may be: called after something was changed in this process. */
  nudge(): void;
}

/** As is said of the options. */
const RETRY_MS = 50;
const LONGEST_RETRY_MS = 1_000;
/** Looks that fail one after another before all are told: together with the rests between them, some seconds. */
const MOST_FAILURES = 10;

/** Listeners told before others get their turn: each of them writes to its client. */
const TOLD_AT_ONCE = 50;

interface Entry<K, V> {
  key: K;
  found: { stamp: string; value: V; look: number } | undefined;
  /** Looks up to this number had begun when somebody joined, who has to be told of a later one. */
  joinedAfter: number;
  listeners: Set<() => void>;
}

/** Nothing after a look that went well. A part is chance, so that processes that failed together do not return together. */
function restAfter(failures: number, retryMs = RETRY_MS): number {
  if (failures === 0) return 0;
  return Math.min(LONGEST_RETRY_MS, retryMs * 2 ** (failures - 1)) * (1 - Math.random() / 2);
}

async function tellAll<K, V>(watched: readonly Entry<K, V>[], all: readonly Found<V>[], look: number) {
  let told = 0;
  for (const { place, stamp, value } of all) {
    const entry = watched[place];
    if (!entry) continue;
    entry.found = { stamp, value, look };
    for (const tell of [...entry.listeners]) {
      tell();
      told += 1;
      if (told % TOLD_AT_ONCE === 0) await nextTurn();
    }
  }
}

/**
 * Watches any number of keys for any number of listeners with one statement at a time, and none while nobody listens: what
 * it costs the database depends on how many keys there are and not on how many listen to them, and there is a rest after
 * each look in proportion to what it took. A look that fails is made again, after a rest that grows.
 */
export function createSharedPoll<K, V>(options: SharedPollOptions<K, V>): SharedPoll<K, V> {
  const entries = new Map<string, Entry<K, V>>();
  let looks = 0;
  let failures = 0;
  const pace = createPace(async () => {
    looks += 1;
    const watched = [...entries.values()];
    try {
      const found = await options.readChanged(watched.map(knownOf));
      failures = 0;
      options.outage.succeeded();
      await tellAll(watched, found, looks);
    } catch (error) {
      failures += 1;
      options.outage.failed(error);
      await loseAll(watched, error);
    }
    return { goesOn: entries.size > 0, leastMs: restAfter(failures, options.retryMs) };
  });

  const knownOf = ({ key, found, joinedAfter }: Entry<K, V>): Watched<K> => ({
    key,
    stamp: found && found.look > joinedAfter ? found.stamp : '',
  });
  async function loseAll(watched: Entry<K, V>[], error: unknown): Promise<void> {
    const { lostWith } = options;
    if (!lostWith || failures <= MOST_FAILURES) return;
    const stamp = `failure ${failures}`;
    const found = watched.map((_, place) => ({ place, stamp, value: lostWith(error) }));
    await tellAll(watched, found, looks);
  }

  function join(key: K, tell: () => void): Entry<K, V> {
    const name = options.nameOf(key);
    const entry = entries.get(name) ?? { key, found: undefined, joinedAfter: 0, listeners: new Set() };
    entries.set(name, entry);
    entry.joinedAfter = looks;
    entry.listeners.add(tell);
    return entry;
  }
  function leave(entry: Entry<K, V>, tell: () => void): void {
    entry.listeners.delete(tell);
    if (entry.listeners.size > 0) return;
    entries.delete(options.nameOf(entry.key));
    if (entries.size === 0) pace.stop();
  }
  const nudge = (): void => {
    if (entries.size > 0) pace.hurry();
  };

  return {
    nudge,
    async *watch(key, signal) {
      let wake = (): void => undefined;
      const tell = (): void => wake();
      // what was found before this may be from before what its caller has just done
      const joinedAfter = looks;
      const entry = join(key, tell);
      signal.addEventListener('abort', tell, { once: true });
      nudge();
      try {
        let shown = '';
        while (!signal.aborted) {
          const { found } = entry;
          if (found && found.look > joinedAfter && found.stamp !== shown) {
            shown = found.stamp;
            yield found.value;
          } else {
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
          }
        }
      } finally {
        signal.removeEventListener('abort', tell);
        leave(entry, tell);
      }
    },
  };
}
