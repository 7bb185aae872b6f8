import type { ResourceStamps } from '../services/resource-stamps.ts';
import type { McpLog } from './connection.ts';
import type { Interest, Told } from './interest.ts';

/** Between two looks: what changed is known within a moment, and the statements are cheap. */
const INTERVAL_MS = 1_000;

/** Looks for changes while somebody listens, for all of them at once, and asks nothing of the database otherwise. */
export function createChangeWatch({
  stamps,
  log,
  everyMs = INTERVAL_MS,
}: {
  stamps: ResourceStamps;
  log: McpLog;
  everyMs?: number;
}) {
  const listeners = new Set<{ interest: Interest; told: Told }>();
  let timer: NodeJS.Timeout | undefined;
  let isLooking = false;

  async function lookForAll(): Promise<void> {
    const asked = [...listeners].map(({ interest, told }) => ({ told, wants: interest.wants() }));
    const resources = asked.flatMap(({ wants }) => wants.resources);
    const lists = asked.flatMap(({ wants }) => wants.lists);
    if (resources.length + lists.length === 0) return;
    const found = await stamps.look({ resources, lists });
    for (const { told, wants } of asked) {
      // one that has gone meanwhile keeps nobody else from being told
      await wants.tell(found, told).catch((err: unknown) => log.debug({ err }, 'a change was not told'));
    }
  }

  async function look(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    try {
      await lookForAll();
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
      timer ??= setInterval(() => void look(), everyMs).unref();
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
  };
}
