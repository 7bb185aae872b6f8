import type { Scope } from '../scope.ts';
import { storableText } from '../text/storable.ts';
import type { Queryable } from './database.ts';

/** Of what a summary is: a version of a file, as one model reads it. */
export interface SummaryKey {
  fileId: string;
  version: number;
  model: string;
}

const keyOf = (scope: Scope, { fileId, version, model }: SummaryKey) => [
  scope.workspaceId,
  scope.projectId,
  fileId,
  version,
  model,
];

/** The summary of a version as a whole; null while there is none. */
export async function findDocumentSummary(
  db: Queryable,
  scope: Scope,
  key: SummaryKey,
): Promise<string | null> {
  const { rows } = await db.query<{ summary: string }>(
    `select summary from document_summaries
     where workspace_id = $1 and project_id = $2 and file_id = $3 and version = $4 and model = $5`,
    keyOf(scope, key),
  );
  return rows[0]?.summary ?? null;
}

/** Keeps a summary. One of a version that is gone is dropped, and of two that were made at once the first stays. */
export async function saveDocumentSummary(
  db: Queryable,
  scope: Scope,
  key: SummaryKey,
  summary: string,
): Promise<void> {
  await db.query(
    `insert into document_summaries (workspace_id, project_id, file_id, version, model, summary)
     select workspace_id, project_id, file_id, version, $5, $6 from file_versions
     where workspace_id = $1 and project_id = $2 and file_id = $3 and version = $4 for key share
     on conflict do nothing`,
    [...keyOf(scope, key), storableText(summary)],
  );
}
