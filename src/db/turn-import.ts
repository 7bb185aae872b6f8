import type { Scope } from '../scope.ts';
import { storableText } from '../text/storable.ts';
import { batches } from './batches.ts';
import type { Queryable } from './database.ts';

/** A turn that took place elsewhere; times in RFC 3339, null: now. */
export interface PastExchange {
  message: string;
  response: string;
  /** It opened the conversation: nobody had said anything yet. */
  priming: boolean;
  createdAt: string | null;
  completedAt: string | null;
}

/** Adds completed turns, numbered from `first` on. */
export async function insertPastExchanges(
  tx: Queryable,
  scope: Scope,
  first: number,
  exchanges: readonly PastExchange[],
): Promise<void> {
  let next = first;
  for (const batch of batches(exchanges)) {
    await tx.query(
      `insert into turns (workspace_id, project_id, turn_number, status, message, response, priming, created_at,
         completed_at)
       select $1, $2, $3::int + n - 1, 'completed', t.message, t.response, t.priming, coalesce(t.created_at, now()),
         coalesce(t.completed_at, t.created_at, now())
       from unnest($4::text[], $5::text[], $6::boolean[], $7::timestamptz[], $8::timestamptz[])
         with ordinality as t(message, response, priming, created_at, completed_at, n)`,
      [
        scope.workspaceId,
        scope.projectId,
        next,
        batch.map(({ message }) => storableText(message)),
        batch.map(({ response }) => storableText(response)),
        batch.map(({ priming }) => priming),
        batch.map(({ createdAt }) => createdAt),
        batch.map(({ completedAt }) => completedAt),
      ],
    );
    next += batch.length;
  }
}
