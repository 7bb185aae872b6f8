import type { Database } from '../../db/database.ts';
import { extendTurnLease, type TurnLease } from '../../db/turns.ts';
import type { Scope } from '../../scope.ts';

/**
 * Prolongs a turn's lease every third of it, until `stop`. A failure to say so is no loss yet: the next beat may get
 * through. When the row says that the turn is no longer ours, `onLost` is called once.
 */
export function keepLease(
  db: Database,
  scope: Scope,
  lease: TurnLease,
  onLost: () => void,
  onError: (error: unknown) => void,
): { stop(): void } {
  let stopped = false;
  let beating = false;
  const stop = (): void => {
    stopped = true;
    clearInterval(timer);
  };
  const beat = async (): Promise<void> => {
    if (beating) return;
    beating = true;
    try {
      const ours = await extendTurnLease(db, scope, lease);
      if (ours || stopped) return;
      stop();
      onLost();
    } catch (error) {
      onError(error);
    } finally {
      beating = false;
    }
  };
  const timer = setInterval(() => void beat(), (lease.seconds * 1000) / 3);
  timer.unref();
  return { stop };
}
