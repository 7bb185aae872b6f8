import { setTimeout as delay } from 'node:timers/promises';

/** What `answer` resolves to, or `otherwise` when it has not after so many milliseconds; rejects as it does. */
export async function within<T>(answer: Promise<T>, ms: number, otherwise: T): Promise<T> {
  const answered = new AbortController();
  const silence = delay(ms, otherwise, { signal: answered.signal }).catch(() => otherwise);
  try {
    return await Promise.race([answer, silence]);
  } finally {
    answered.abort();
  }
}
