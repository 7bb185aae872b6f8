import type { McpLog } from './connection.ts';
import type { Interest, Told } from './interest.ts';

/** Between two looks: what changed is known within a moment, and the statements are cheap. */
const INTERVAL_MS = 1_000;

/** Looks for changes while somebody listens, and asks nothing of the database otherwise. */
export function createChangeWatch(log: McpLog) {
  const listeners = new Set<{ interest: Interest; told: Told }>();
  let timer: NodeJS.Timeout | undefined;
  let isLooking = false;

  async function look(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    try {
      for (const { interest, told } of listeners) if (interest.isAny()) await interest.look(told);
    } catch (err) {
      log.debug({ err }, 'changes of resources could not be looked for');
    } finally {
      isLooking = false;
    }
  }

  return {
    /**
     * Tells a connection of what it is interested in.
     *
     * @returns ends it
     */
    listen(interest: Interest, told: Told): () => void {
      const listener = { interest, told };
      listeners.add(listener);
      timer ??= setInterval(() => void look(), INTERVAL_MS).unref();
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
  };
}
