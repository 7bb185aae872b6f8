import type { Database } from '../db/database.ts';
import { addUsage } from '../db/usage.ts';
import type { Scope } from '../scope.ts';

export interface QueryUsageDeps {
  db: Database;
  embeddingModel: { id: string };
  log: { warn(details: object, message: string): void };
  /** How long calls are collected before they are written. */
  everyMs?: number;
}

interface Spent {
  scope: Scope;
  calls: number;
  tokens: number;
}

/**
 * The accounts of queries that were embedded outside a turn's own usage. They are collected in memory and written apart
 * from the searches, which neither wait for it nor fail with it; what could not be written is tried again with the next.
 */
export function createQueryUsage({ db, embeddingModel, log, everyMs = 1_000 }: QueryUsageDeps) {
  let open = new Map<string, Spent>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  function collect({ scope, calls, tokens }: Spent): void {
    const key = JSON.stringify([scope.workspaceId, scope.projectId]);
    const before = open.get(key) ?? { calls: 0, tokens: 0 };
    open.set(key, { scope, calls: before.calls + calls, tokens: before.tokens + tokens });
  }

  async function writeAll(): Promise<void> {
    const batch = [...open.values()];
    open = new Map();
    for (const spent of batch) {
      const { scope, calls, tokens } = spent;
      const used = { phase: 'embed_queries', model: embeddingModel.id, calls, input_tokens: tokens } as const;
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
    /** One call, which had so many tokens. */
    add(scope: Scope, tokens: number): void {
      collect({ scope, calls: 1, tokens });
      timer ??= setTimeout(flush, everyMs).unref();
    },
    /** Writes what has been collected; never rejects. */
    flush,
  };
}

export type QueryUsage = ReturnType<typeof createQueryUsage>;
