import { createPause } from '../pause.ts';
import { EmbeddingError, type EmbeddingInputType, type EmbeddingWait } from './model.ts';
import { createRateMeter, hasTimeLimits, type RateLimits } from './rate-meter.ts';
import type { SharedRates } from './shared-rates.ts';

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
  /** Before this, other instances leave no room for it. */
  notBefore: number;
  admit(): void;
  refuse(error: unknown): void;
}

/** Nobody holds a worker for longer than this, which a minute's limit never asks for: the work is put off instead. */
const LONGEST_WAIT_MS = 90_000;

const realClock: Clock = {
  now: () => Date.now(),
  after: (ms, work) => {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
};

/** A timer may go off a little early: what is left then of a pause was told as a part of it. */
const LEAST_TOLD_MS = 10;

/** Those who wait: queries before documents, and each kind in its order. */
function createQueue() {
  const lines: Record<EmbeddingInputType, Waiting[]> = { query: [], document: [] };
  const all = (): Waiting[] => [...lines.query, ...lines.document];
  const remove = (one: Waiting): void => {
    lines[one.inputType] = lines[one.inputType].filter((other) => other !== one);
  };
  return {
    first: () => all()[0],
    has: (one: Waiting): boolean => lines[one.inputType].includes(one),
    add: (one: Waiting) => void lines[one.inputType].push(one),
    remove,
    /** Tells each, once, how long it is at least. */
    tell(waitMs: number): void {
      if (waitMs < LEAST_TOLD_MS) return;
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
 *
 * @param shared what other instances ask of the provider counts as well, and is asked for behind what this one knows by itself
 */
export function createRateLimiter(limits: RateLimits, clock: Clock = realClock, shared?: SharedRates) {
  const meter = createRateMeter(limits);
  const together = hasTimeLimits(limits) ? shared : undefined;
  // where every request asks for what is shared, it hears of pauses as well
  const paused = createPause({ now: clock.now, shared, looks: together === undefined });
  const queue = createQueue();
  let running = 0;
  let isAsking = false;
  let callOff = (): void => undefined;

  /** Lets in whoever may come in now, and comes back when the next one may. */
  function proceed(): void {
    callOff();
    if (isAsking) return;
    for (let next = queue.first(); next; next = queue.first()) {
      if (limits.concurrency > 0 && running >= limits.concurrency) return;
      const now = clock.now();
      const waitMs = Math.max(paused.leftMs(), next.notBefore - now, meter.waitMs(next.tokens, now));
      if (waitMs > LONGEST_WAIT_MS) {
        queue.putOff(waitMs);
        return;
      }
      if (waitMs > 0) {
        queue.tell(waitMs);
        callOff = clock.after(waitMs, proceed);
        return;
      }
      if (together) {
        void askOthers(next, together);
        return;
      }
      letIn(next);
    }
  }

  function letIn(one: Waiting): void {
    queue.remove(one);
    meter.use(one.tokens, clock.now());
    running += 1;
    one.admit();
  }

  /** Lets in whom the other instances leave room for. What one has taken that has been given up meanwhile, is lost. */
  async function askOthers(one: Waiting, { take }: SharedRates): Promise<void> {
    isAsking = true;
    const waitMs = await take(limits, one.tokens);
    isAsking = false;
    if (waitMs > 0) one.notBefore = clock.now() + waitMs;
    else if (queue.has(one)) letIn(one);
    proceed();
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
      const one: Waiting = { ...admission, isTold: false, notBefore: 0, admit: resolve, refuse: reject };
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
    pause: paused.begin,
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
