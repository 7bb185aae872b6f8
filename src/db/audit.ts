import type { AuditEvent } from '../contract/audit.ts';
import type { Queryable } from './database.ts';

/** An event that is to be stored. */
export interface AuditEntry extends Omit<AuditEvent, 'object' | 'at'> {
  workspaceId: string;
  at: Date;
}

export interface AuditRow extends Omit<AuditEvent, 'object' | 'at'> {
  at: Date;
  seq: string;
}

/** What narrows a list of events; null: anything. */
export interface AuditFilter {
  since: Date | null;
  until: Date | null;
  actor: string | null;
  action: string | null;
}

/** Stores events in the order given; those of a workspace that is gone are dropped. */
export async function insertAuditEvents(db: Queryable, entries: readonly AuditEntry[]): Promise<void> {
  await db.query(
    `insert into audit_events (workspace_id, at, actor, actor_name, action, resource, status, request_id, address)
     select workspace_id, at, actor, actor_name, action, resource, status, request_id, address
     from unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::text[], $7::int[], $8::text[],
       $9::text[]) with ordinality
       as fresh (workspace_id, at, actor, actor_name, action, resource, status, request_id, address, n)
     where exists (select from workspaces w where w.workspace_id = fresh.workspace_id)
     order by n`,
    [
      entries.map((entry) => entry.workspaceId),
      entries.map((entry) => entry.at.toISOString()),
      entries.map((entry) => entry.actor),
      entries.map((entry) => entry.actor_name),
      entries.map((entry) => entry.action),
      entries.map((entry) => entry.resource),
      entries.map((entry) => entry.status),
      entries.map((entry) => entry.request_id),
      entries.map((entry) => entry.address),
    ],
  );
}

/** Events of a workspace in the order in which they were stored; `after` and `before` are exclusive `seq` bounds. */
export async function selectAuditEvents(
  db: Queryable,
  workspaceId: string,
  { since, until, actor, action }: AuditFilter,
  page: { after: string | null; before: string | null; limit: number; descending: boolean },
): Promise<AuditRow[]> {
  const { rows } = await db.query<AuditRow>(
    `select at, actor, actor_name, action, resource, status, request_id, address, seq from audit_events
     where workspace_id = $1 and ($2::timestamptz is null or at >= $2) and ($3::timestamptz is null or at < $3)
       and ($4::text is null or actor = $4) and ($5::text is null or action = $5)
       and ($6::bigint is null or seq > $6) and ($7::bigint is null or seq < $7)
     order by seq ${page.descending ? 'desc' : 'asc'} limit $8`,
    [workspaceId, since, until, actor, action, page.after, page.before, page.limit],
  );
  return rows;
}
