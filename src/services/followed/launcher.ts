import type { Lease } from '../../db/followed.ts';
import type { Scope } from '../../scope.ts';
import { createOutageLog } from '../outage-log.ts';
import type { FollowLog } from './kind.ts';
import { keepLeases } from './leases.ts';
import { createRunning } from './running.ts';
import { Stopped, type StopReason } from './stopped.ts';

/** How soon what is cancelled through another instance stops, at the latest. */
const WATCH_MS = 500;
/** Looks at each lease within its length, at least. */
const LOOKS_A_LEASE = 3;

/** What stops one that runs. */
export interface Control {
  /** Its reason is a `Stopped`, the first one that there was. */
  signal: AbortSignal;
  stop(reason: StopReason): void;
}

/** Runs what has begun, each under its lease and its deadline, and knows what of a kind runs in this process. */
export function createLauncher<L extends Lease & { scope: Scope }, R>(options: {
  noun: string;
  prolong: (leases: readonly L[], share: number) => Promise<L[]>;
  leaseSeconds: number;
  watchMs?: number | undefined;
  log: FollowLog;
}) {
  const { noun, prolong, leaseSeconds, watchMs = WATCH_MS, log } = options;
  const running = createRunning<R>();
  const leases = keepLeases<L>({
    prolong,
    everyMs: Math.min(watchMs, (leaseSeconds * 1_000) / LOOKS_A_LEASE),
    outage: createOutageLog(log, `the look at the leases of ${noun}s`),
  });

  return {
    /** Begins the work. It hangs on no socket: it ends by itself, or is stopped here. */
    launch(
      key: string,
      lease: L,
      { timeoutMs, work }: { timeoutMs: number; work: (control: Control) => Promise<R> },
    ): Promise<R> {
      const controller = new AbortController();
      const stop = (reason: StopReason): void => controller.abort(new Stopped(reason));
      const release = leases.hold(lease, () => stop('lost'));
      const deadline = setTimeout(() => stop('deadline'), timeoutMs);
      const done = work({ signal: controller.signal, stop }).finally(() => {
        clearTimeout(deadline);
        release();
      });
      running.add(key, { stop, done });
      done.catch(() => undefined); // told by its row; nobody has to wait here
      return done;
    },

    find: running.get,
    admit: running.admit,
    stop: running.stop,
  };
}
