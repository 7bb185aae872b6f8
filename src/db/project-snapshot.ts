import type { ArchivedFile, ArchivedUsage, ArchivedVersion } from '../archive/format.ts';
import type { ProjectState } from '../contract/state.ts';
import type { Scope } from '../scope.ts';
import type { Database, Queryable } from './database.ts';
import { findProject } from './projects.ts';

/** A version of a file as it is archived, but for the entries it stands in. */
export type SnapshotVersion = Omit<ArchivedVersion, 'original' | 'markdown'> & { hasMarkdown: boolean };

/** A file as it is archived, with the id under which it is kept here. */
export type SnapshotFile = Omit<ArchivedFile, 'versions'> & {
  fileId: string;
  versions: SnapshotVersion[];
};

/**
 * A project at one moment: what of it can change, and what tells that the rest did not. The bytes and the Markdown of a
 * version stay what they are, and so does a turn that has ended until it is tried again, which counts its attempt up: they
 * are read later, as long as that takes.
 */
export interface ProjectSnapshot {
  name: string;
  state: ProjectState;
  createdAt: Date;
  summarisedThrough: number;
  /** Whether contexts are written on leaves; null: as the service is set. */
  contextual: boolean | null;
  files: SnapshotFile[];
  /** The attempt of each turn that has ended, by its number. */
  turns: Map<number, number>;
  usage: ArchivedUsage;
}

/** The project as it is; null when there is none. In one short transaction. */
export function takeSnapshot(db: Database, scope: Scope): Promise<ProjectSnapshot | null> {
  return db.transaction(async (tx) => {
    // all statements see the moment of the first
    await tx.query('set transaction isolation level repeatable read read only');
    const project = await findProject(tx, scope);
    if (!project) return null;
    return {
      name: project.name,
      state: project.state,
      createdAt: project.createdAt,
      summarisedThrough: await summarisedThrough(tx, scope),
      contextual: project.contextual,
      files: await selectFiles(tx, scope),
      turns: await selectAttempts(tx, scope),
      usage: await selectTotals(tx, scope),
    };
  });
}

const OF_PROJECT = 'workspace_id = $1 and project_id = $2';
const keyOf = ({ workspaceId, projectId }: Scope) => [workspaceId, projectId];

async function summarisedThrough(tx: Queryable, scope: Scope): Promise<number> {
  const { rows } = await tx.query<{ through: number }>(
    `select summarised_through as through from projects where ${OF_PROJECT}`,
    keyOf(scope),
  );
  return rows[0]?.through ?? 0;
}

type FileRow = Omit<SnapshotFile, 'fileId' | 'uploaded_at' | 'versions'> & {
  file_id: string;
  uploaded_at: Date;
};
type VersionRow = Omit<SnapshotVersion, 'created_at' | 'hasMarkdown'> & {
  file_id: string;
  created_at: Date;
  has_markdown: boolean;
};

/** All files in their order, each with its versions. */
async function selectFiles(tx: Queryable, scope: Scope): Promise<SnapshotFile[]> {
  const { rows: versions } = await tx.query<VersionRow>(
    `select file_id, version, media_type, byte_length as bytes, sha256, created_at, chunking, min_fidelity, format, fidelity,
       markdown is not null as has_markdown
     from file_versions where ${OF_PROJECT} order by file_id, version`,
    keyOf(scope),
  );
  const byFile = new Map<string, SnapshotVersion[]>();
  for (const { file_id, has_markdown, created_at, ...version } of versions) {
    const known = byFile.get(file_id) ?? [];
    known.push({ ...version, created_at: created_at.toISOString(), hasMarkdown: has_markdown });
    byFile.set(file_id, known);
  }
  const { rows } = await tx.query<FileRow>(
    // what is being restored here was searchable where it comes from
    `select file_id, name, media_type, status, version, coalesce(searchable_version, restored_version) as searchable_version,
       summary, summary_version, summary_status, last_error, chunk_count, parent_count, token_estimate, uploaded_at, contextual
     from files where ${OF_PROJECT} order by seq`,
    keyOf(scope),
  );
  return rows.map(({ file_id, uploaded_at, ...file }) => ({
    ...file,
    fileId: file_id,
    uploaded_at: uploaded_at.toISOString(),
    versions: byFile.get(file_id) ?? [],
  }));
}

async function selectAttempts(tx: Queryable, scope: Scope): Promise<Map<number, number>> {
  const { rows } = await tx.query<{ turn_number: number; attempt: number }>(
    `select turn_number, attempt from turns where ${OF_PROJECT} and status <> 'in_progress' order by turn_number`,
    keyOf(scope),
  );
  return new Map(rows.map(({ turn_number, attempt }) => [turn_number, attempt]));
}

async function selectTotals(tx: Queryable, scope: Scope): Promise<ArchivedUsage> {
  const { rows } = await tx.query<ArchivedUsage[number]>(
    `select phase, model, day::text as day, calls::float8 as calls, input_tokens::float8 as input_tokens,
       cached_tokens::float8 as cached_tokens, cache_write_tokens::float8 as cache_write_tokens,
       output_tokens::float8 as output_tokens
     from usage_totals where ${OF_PROJECT} order by phase, model, day`,
    keyOf(scope),
  );
  return rows;
}
