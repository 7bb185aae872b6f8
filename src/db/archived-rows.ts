import type { ArchivedContext, ArchivedEvent, ArchivedSummary, ArchivedTurn } from '../archive/format.ts';
import { storedReceiptSchema } from '../contract/receipt.ts';
import type { Scope } from '../scope.ts';
import type { Queryable } from './database.ts';
import { SUMMARY_HASH } from './embedded-texts.ts';
import { CONTEXT_OF_LEAF, EMBEDDED_HASH } from './leaf-contexts.ts';
import { TURN_COLUMNS, type TurnRow, toStoredTurn } from './turn-record.ts';
import { fromVectorText } from './vector-text.ts';

/*
 * What of a project is read a page at a time while it is archived, each page by a statement of its own that begins behind the
 * last row of the page before.
 */

const OF_PROJECT = 'workspace_id = $1 and project_id = $2';

// a receipt has a whole prompt in it
const TURNS = 20;
const ROWS = 200;

/** Pages until one is not full. */
async function* paged<R>(
  size: number,
  read: (after: R | null) => Promise<R[]>,
): AsyncGenerator<R, void, undefined> {
  for (let after: R | null = null; ; ) {
    const rows: R[] = await read(after);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < size) return;
    after = last;
  }
}

/** The turns that have ended, in order. */
export async function* readTurns(db: Queryable, scope: Scope): AsyncGenerator<ArchivedTurn> {
  type Row = TurnRow & { probe: string | null; receipt: unknown };
  const rows = paged<Row>(TURNS, async (after) => {
    const page = await db.query<Row>(
      `select ${TURN_COLUMNS}, probe, receipt from turns
       where ${OF_PROJECT} and turn_number > $3 and status <> 'in_progress' order by turn_number limit ${TURNS}`,
      [scope.workspaceId, scope.projectId, after?.turn_number ?? 0],
    );
    return page.rows;
  });
  for await (const { probe, receipt, ...row } of rows) {
    const {
      turn: { object, truncated, status, ...turn },
      options,
    } = toStoredTurn(row);
    if (status === 'in_progress') continue;
    yield { ...turn, status, options, probe, receipt: storedReceiptSchema.nullable().parse(receipt) };
  }
}

/** The events of all turns, in order. */
export async function* readEvents(db: Queryable, scope: Scope): AsyncGenerator<ArchivedEvent> {
  type Row = ArchivedEvent & { created_at: Date; seq: string };
  const rows = paged<Row>(ROWS, async (after) => {
    const page = await db.query<Row>(
      `select turn_number, seq, type, data, created_at from turn_events
       where ${OF_PROJECT} and (turn_number, seq) > ($3, $4) order by turn_number, seq limit ${ROWS}`,
      [scope.workspaceId, scope.projectId, after?.turn_number ?? 0, after?.seq ?? 0],
    );
    return page.rows;
  });
  for await (const row of rows) {
    yield { ...row, seq: Number(row.seq), created_at: row.created_at.toISOString() };
  }
}

/** The summaries of turns, in order. */
export async function* readSummaries(db: Queryable, scope: Scope): AsyncGenerator<ArchivedSummary> {
  type Row = ArchivedSummary & { created_at: Date };
  const rows = paged<Row>(ROWS, async (after) => {
    const page = await db.query<Row>(
      `select turn_number, summary, source, created_at from turn_summaries
       where ${OF_PROJECT} and turn_number > $3 order by turn_number limit ${ROWS}`,
      [scope.workspaceId, scope.projectId, after?.turn_number ?? 0],
    );
    return page.rows;
  });
  for await (const row of rows) yield { ...row, created_at: row.created_at.toISOString() };
}

/**
 * What a model wrote on the leaves of a file, by the bytes of their hashes: there are languages in whose order `aa` comes behind `z`,
 * and a database may be of one. The order of its index is the database's, so that hashes are put in order once, and not with each page.
 */
export async function* readContexts(
  db: Queryable,
  scope: Scope,
  fileId: string,
): AsyncGenerator<Omit<ArchivedContext, 'file'>> {
  const select = (columns: string) =>
    `select ${columns} from leaf_contexts where ${OF_PROJECT} and file_id = $3 and context is not null`;
  const key = [scope.workspaceId, scope.projectId, fileId];
  const byBytes = 'order by content_hash collate "C"';
  const found = await db.query<{ hash: string }>(`${select('content_hash as hash')} ${byBytes}`, key);
  for (let start = 0; start < found.rows.length; start += ROWS) {
    const hashes = found.rows.slice(start, start + ROWS).map(({ hash }) => hash);
    const page = await db.query<Omit<ArchivedContext, 'file'>>(
      `${select('content_hash as hash, context, model')} and content_hash = any ($4::text[]) ${byBytes}`,
      [...key, hashes],
    );
    yield* page.rows;
  }
}

/** The vectors of leaves and of summaries, each with the hash of what was embedded. */
export async function* readVectors(
  db: Queryable,
  scope: Scope,
): AsyncGenerator<{ hash: string; vector: Float32Array }> {
  type Row = { key: string; hash: string; embedding: string };
  const of = (select: string) =>
    paged<Row>(ROWS, async (after) => {
      const page = await db.query<Row>(`${select} limit ${ROWS}`, [
        scope.workspaceId,
        scope.projectId,
        after?.key ?? '',
      ]);
      return page.rows;
    });
  for (const select of [LEAF_VECTORS, SUMMARY_VECTORS]) {
    for await (const { hash, embedding } of of(select)) yield { hash, vector: fromVectorText(embedding) };
  }
}

// of a leaf whose context has come since, the vector is still of the leaf alone
const LEAF_VECTORS = `select l.leaf_id as key, case when v.with_context then ${EMBEDDED_HASH} else l.content_hash end as hash,
    v.embedding::text as embedding
  from document_leaves l
  join leaf_vectors v on v.workspace_id = l.workspace_id and v.project_id = l.project_id and v.leaf_id = l.leaf_id
  ${CONTEXT_OF_LEAF}
  where l.workspace_id = $1 and l.project_id = $2 and l.leaf_id > $3 order by l.leaf_id`;

// by what they are kept under: as text in the order of texts, since the key of the page is one
const SUMMARY_VECTORS = `select turn_number::text as key, ${SUMMARY_HASH} as hash, embedding::text as embedding
  from turn_summaries
  where ${OF_PROJECT} and embedding is not null and turn_number::text > $3 order by turn_number::text`;
