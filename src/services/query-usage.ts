import type { Database } from '../db/database.ts';
import { addUsage } from '../db/usage.ts';
import type { QuerySpent } from '../retrieval/query-spending.ts';
import type { Scope } from '../scope.ts';

export interface QueryUsageDeps {
  db: Database;
  log: { warn(details: object, message: string): void };
  /** How long calls are collected before they are written. */
  everyMs?: number;
}

type Spent = Omit<QuerySpent, 'provider'> & { scope: Scope };

/**
 * The accounts of what searches outside a turn's own usage have spent. They are collected in memory and written apart
 * from the searches, which neither wait for it nor fail with it; what could not be written is tried again with the next.
 */
export function createQueryUsage({ db, log, everyMs = 1_000 }: QueryUsageDeps) {
  let open = new Map<string, Spent>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  function collect(spent: Spent): void {
    const { scope, phase, model, calls, tokens } = spent;
    const key = JSON.stringify([scope.workspaceId, scope.projectId, phase, model]);
    const before = open.get(key) ?? { calls: 0, tokens: 0 };
    open.set(key, { ...spent, calls: before.calls + calls, tokens: before.tokens + tokens });
  }

  async function writeAll(): Promise<void> {
    const batch = [...open.values()];
    open = new Map();
    for (const spent of batch) {
      const { scope, phase, model, calls, tokens } = spent;
      const used = { phase, model, calls, input_tokens: tokens };
      await addUsage(db, scope, used).catch((err: unknown) => {
        collect(spent);
        log.warn({ err }, 'the usage of queries could not be written');
      });
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(writeAll);
    return writing;
  }

  return {
    add(scope: Scope, { phase, model, calls, tokens }: QuerySpent): void {
      collect({ scope, phase, model, calls, tokens });
      timer ??= setTimeout(flush, everyMs).unref();
    },
    /** Writes what has been collected; never rejects. */
    flush,
  };
}

export type QueryUsage = ReturnType<typeof createQueryUsage>;
