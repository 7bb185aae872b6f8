import { setTimeout as delay } from 'node:timers/promises';
import type { Service } from '../faults/service.ts';
import { createRandom } from '../helpers/random.ts';
import { exchange, faultOf, headsOf } from './answers.ts';
import { hostileBytes, type Operation } from './requests.ts';

/** Connections at a time. */
const CLIENTS = 8;
const ABRUPT = 0.05;
const PROBE_PAUSE_MS = 200;
/** Others may wait while one is answered, not for ever. */
const PROBE_MS = 30_000;
const SHOWN_BYTES = 600;

async function operationsOf(service: Service): Promise<Operation[]> {
  const response = await fetch(`${service.url}/openapi.json`);
  const { paths } = (await response.json()) as { paths: Record<string, object> };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })),
  );
}

/** Asks again and again whether the service is there; what it answered instead. */
function watchHealth(service: Service) {
  const stop = new AbortController();
  const problems: string[] = [];
  const watching = (async () => {
    while (!stop.signal.aborted) {
      await fetch(`${service.url}/healthz`, { signal: AbortSignal.timeout(PROBE_MS) })
        .then(async (response) => {
          if (response.status !== 200) problems.push(`/healthz answered ${response.status}`);
          await response.arrayBuffer();
        })
        .catch((error: unknown) => problems.push(`/healthz did not answer: ${error}`));
      await delay(PROBE_PAUSE_MS);
    }
  })();
  return {
    problems,
    async end(): Promise<void> {
      stop.abort();
      await watching;
    },
  };
}

/**
 * Sends what no client sends, on many connections at a time. Each case has its own numbers, `seed` and its place, so that it
 * can be sent again by itself with `first`.
 */
export async function fuzzSockets(
  service: Service,
  { seed, first, cases, seconds }: { seed: number; first: number; cases: number; seconds: number },
) {
  const operations = await operationsOf(service);
  const port = Number(new URL(service.url).port);
  const health = watchHealth(service);
  const findings = new Map<string, string>();
  const statuses = new Map<number, number>();
  const until = Date.now() + seconds * 1_000;
  let next = first;

  async function client(): Promise<void> {
    while (next < first + cases && Date.now() < until) {
      const number = next++;
      const random = createRandom(seed * 1_000_003 + number);
      const bytes = hostileBytes(random, operations);
      const heads = headsOf(await exchange(port, bytes, random.chance(ABRUPT)));
      for (const head of heads) {
        statuses.set(head.status, (statuses.get(head.status) ?? 0) + 1);
        const fault = faultOf(head);
        if (fault === '' || findings.has(fault)) continue;
        findings.set(
          fault,
          `${fault} (--first ${number}): ${JSON.stringify(bytes.toString('latin1').slice(0, SHOWN_BYTES))}`,
        );
      }
    }
  }

  await Promise.all(Array.from({ length: CLIENTS }, client));
  await health.end();
  return { cases: next - first, statuses, findings: [...findings.values(), ...new Set(health.problems)] };
}
