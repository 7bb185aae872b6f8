/** A step of the shutdown. */
export interface ShutdownPhase {
  name: string;
  /** Its part of the time that is left, against those of the phases after it. */
  weight: number;
  /** Breaks off by itself what it still waits for after so long. */
  run(deadlineMs: number): Promise<void> | void;
}

/** The part of a logger that the shutdown writes to. */
export interface ShutdownLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** What was broken off may take so long to end. */
const LEEWAY_MS = 500;

/**
 * Runs the phases one after the other. What a phase does not need of its time is the next ones'. One that fails, or is
 * still not done a moment after its deadline, is left behind: the others must have their turn before the process ends.
 */
export async function shutDown(
  phases: readonly ShutdownPhase[],
  { totalMs, log }: { totalMs: number; log: ShutdownLog },
): Promise<void> {
  const end = performance.now() + totalMs;
  for (const [index, phase] of phases.entries()) {
    const weights = phases.slice(index).reduce((sum, { weight }) => sum + weight, 0);
    const left = Math.max(0, end - performance.now());
    await runPhase(phase, Math.round(weights > 0 ? (left * phase.weight) / weights : 0), log);
  }
}

/**
 * How a process stops. It is not ready from `draining` on, which load balancers have to notice; it takes on nothing new from
 * `stopping` on.
 *
 * @param delayMs between the two
 * @param totalMs for all phases after it
 */
export function createStop({
  delayMs,
  totalMs,
  log,
}: {
  delayMs: number;
  totalMs: number;
  log: ShutdownLog;
}) {
  const draining = new AbortController();
  const stopping = new AbortController();
  let closing: Promise<void> | undefined;
  const refuse = () => {
    draining.abort();
    stopping.abort();
  };

  return {
    draining: draining.signal,
    stopping: stopping.signal,

    /** Is not ready any more, and serves as before for the delay. */
    async drain(): Promise<void> {
      draining.abort();
      if (delayMs === 0) return;
      log.info({ phase: 'drain', delayMs }, 'not ready any more, and serving on');
      await new Promise<void>((resolve) => void setTimeout(resolve, delayMs));
    },

    /** Takes on nothing new, then runs the phases; a second call waits for the first. */
    close(phases: readonly ShutdownPhase[]): Promise<void> {
      closing ??= shutDown([{ name: 'refuse', weight: 0, run: refuse }, ...phases], { totalMs, log });
      return closing;
    },
  };
}

async function runPhase(phase: ShutdownPhase, deadlineMs: number, log: ShutdownLog): Promise<void> {
  const startedAt = performance.now();
  const details = () => ({
    phase: phase.name,
    deadlineMs,
    tookMs: Math.round(performance.now() - startedAt),
  });
  const timers: NodeJS.Timeout[] = [];
  const leftBehind = new Promise<boolean>((resolve) => {
    const onDeadline = () => {
      log.warn(details(), 'a phase of the shutdown is over its deadline');
      timers.push(setTimeout(() => resolve(false), LEEWAY_MS));
    };
    timers.push(setTimeout(onDeadline, deadlineMs));
  });
  const run = async () => {
    await phase.run(deadlineMs);
    return true;
  };
  try {
    const isDone = await Promise.race([run(), leftBehind]);
    if (isDone) log.info(details(), 'a phase of the shutdown is done');
    else log.error(details(), 'a phase of the shutdown was left behind');
  } catch (err) {
    log.error({ ...details(), err }, 'a phase of the shutdown failed');
  } finally {
    for (const timer of timers) clearTimeout(timer);
  }
}
