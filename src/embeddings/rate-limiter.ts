import { EmbeddingError, type EmbeddingInputType, type EmbeddingWait } from './model.ts';
import { createRateWindow } from './rate-window.ts';

/** What may be asked of a provider; 0: no limit. */
export interface RateLimits {
  requestsPerMinute: number;
  requestsPerDay: number;
  tokensPerMinute: number;
  /** Requests at a time. */
  concurrency: number;
}

export const NO_LIMITS: RateLimits = {
  requestsPerMinute: 0,
  requestsPerDay: 0,
  tokensPerMinute: 0,
  concurrency: 0,
};

/** Time, which tests replace. */
export interface Clock {
  now(): number;
  /** @returns what calls it off */
  after(ms: number, work: () => void): () => void;
}

/** A request that asks to be let in. */
export interface Admission {
  inputType: EmbeddingInputType;
  tokens: number;
  signal?: AbortSignal | undefined;
  /** Told when the limits of requests and tokens keep it waiting. */
  onWait?: ((wait: EmbeddingWait) => void) | undefined;
}

interface Waiting extends Admission {
  isTold: boolean;
  admit(): void;
  refuse(error: unknown): void;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Nobody holds a worker for longer than this, which a minute's limit never asks for: the work is put off instead. */
const LONGEST_WAIT_MS = 90_000;

const realClock: Clock = {
  now: () => Date.now(),
  after: (ms, work) => {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
};

/** The limits of time, and what was used of them. */
function createMeter(limits: RateLimits) {
  const requests = [
    createRateWindow(limits.requestsPerMinute, MINUTE_MS),
    createRateWindow(limits.requestsPerDay, DAY_MS),
  ];
  const tokens = createRateWindow(limits.tokensPerMinute, MINUTE_MS);
  return {
    waitMs: (one: Admission, now: number): number =>
      Math.max(...requests.map((window) => window.waitMs(1, now)), tokens.waitMs(one.tokens, now)),
    use(one: Admission, now: number): void {
      for (const window of requests) window.use(1, now);
      tokens.use(one.tokens, now);
    },
  };
}

/** Those who wait: queries before documents, and each kind in its order. */
function createQueue() {
  const lines: Record<EmbeddingInputType, Waiting[]> = { query: [], document: [] };
  const all = (): Waiting[] => [...lines.query, ...lines.document];
  const remove = (one: Waiting): void => {
    lines[one.inputType] = lines[one.inputType].filter((other) => other !== one);
  };
  return {
    first: () => all()[0],
    add: (one: Waiting) => void lines[one.inputType].push(one),
    remove,
    /** Tells each, once, how long it is at least. */
    tell(waitMs: number): void {
      for (const one of all()) {
        if (!one.isTold) one.onWait?.({ seconds: Math.ceil(waitMs / 1_000), rateLimited: true });
        one.isTold = true;
      }
    },
    putOff(waitMs: number): void {
      for (const one of all()) {
        remove(one);
        one.refuse(postponed(waitMs));
      }
    },
  };
}

const postponed = (waitMs: number): EmbeddingError =>
  new EmbeddingError('The limits that were set for the embedding provider are used up', {
    retryable: true,
    status: 429,
    retryAfterSeconds: Math.ceil(waitMs / 1_000),
    isPostponed: true,
  });

/**
 * Lets the requests of this process to one provider in, as fast as its limits allow: queries before documents, and each kind
 * in its order.
 */
export function createRateLimiter(limits: RateLimits, clock: Clock = realClock) {
  const meter = createMeter(limits);
  const queue = createQueue();
  let running = 0;
  let pausedUntil = 0;
  let callOff = (): void => undefined;

  /** Lets in whoever may come in now, and comes back when the next one may. */
  function proceed(): void {
    callOff();
    for (let next = queue.first(); next; next = queue.first()) {
      if (limits.concurrency > 0 && running >= limits.concurrency) return;
      const now = clock.now();
      const waitMs = Math.max(pausedUntil - now, meter.waitMs(next, now));
      if (waitMs > LONGEST_WAIT_MS) {
        queue.putOff(waitMs);
        return;
      }
      if (waitMs > 0) {
        queue.tell(waitMs);
        callOff = clock.after(waitMs, proceed);
        return;
      }
      queue.remove(next);
      meter.use(next, now);
      running += 1;
      next.admit();
    }
  }

  function leave(): void {
    running -= 1;
    proceed();
  }

  return {
    /** Whether the tokens of a request matter. */
    countsTokens: limits.tokensPerMinute > 0,

    /**
     * Waits until the request may be sent, and gives what is to be called when it is over.
     *
     * @throws EmbeddingError that is postponed when that is more than a minute and a half away, and the signal's reason
     */
    async enter(admission: Admission): Promise<() => void> {
      const { signal } = admission;
      signal?.throwIfAborted();
      const { promise, resolve, reject } = deferred();
      const one: Waiting = { ...admission, isTold: false, admit: resolve, refuse: reject };
      const onAbort = (): void => {
        queue.remove(one);
        reject(signal?.reason);
        proceed();
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      queue.add(one);
      proceed();
      await promise.finally(() => signal?.removeEventListener('abort', onAbort));
      return leave;
    },

    /** The provider asks for a pause, which concerns all. */
    pause(ms: number): void {
      pausedUntil = Math.max(pausedUntil, clock.now() + ms);
    },
  };
}

function deferred() {
  let resolve: () => void = () => undefined;
  let reject: (reason: unknown) => void = () => undefined;
  const promise = new Promise<void>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
