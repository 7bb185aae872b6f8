import { setImmediate as nextTurn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { File } from '../contract/file.ts';
import type { Database, Queryable } from '../db/database.ts';
import { type HeldFile, holdFile, renameFileRow, replaceIds, selectDocument } from '../db/file-rename.ts';
import { findFile } from '../db/files.ts';
import { findProject, refreshFileSummaries, saveState } from '../db/projects.ts';
import { breadcrumb } from '../documents/chunking/breadcrumbs.ts';
import type { Leaf, Parent } from '../documents/chunking/chunks.ts';
import { contentHash, idMaker } from '../documents/chunking/ids.ts';
import { ACCEPTED_TYPES, formatOfMediaType } from '../documents/formats/registry.ts';
import { AppError, fileNotFound, wrongField } from '../errors.ts';
import type { Scope } from '../scope.ts';
import { renameSource } from '../state/renamed-file.ts';
import { requireFile } from './file-lookup.ts';
import { fileNameFrom } from './file-names.ts';
import { enqueueIngest } from './file-runs.ts';
import { enqueueIndexingOf } from './lexical-index.ts';
import { holdPlace } from './places.ts';

export interface FileRenameDeps {
  db: Database;
  onJob: () => void;
  onJobsRemoved: () => void;
}

/** Looks at the file before it is renamed, and throws to refuse. */
type RenameCondition = (current: File) => void;

/** SQLSTATE. */
const UNIQUE_VIOLATION = '23505';
/** Leaves named anew at a time: then others get their turn. */
const AT_ONCE = 500;

/** The document as it would be, had the file always had the name: context headers, and the ids that follow from them. */
async function underName(name: string, { parents, leaves }: { parents: Parent[]; leaves: Leaf[] }) {
  const leafId = idMaker('leaf', name);
  const parentId = idMaker('par', name);
  const newIds = new Map<string, string>();
  const newHashes = new Map<string, string>();
  const named = { parents: [] as Parent[], leaves: [] as Leaf[] };
  for (const parent of parents) {
    const id = parentId(contentHash(parent.headerPath.join('\0'), parent.text));
    newIds.set(parent.id, id);
    named.parents.push({ ...parent, id, breadcrumb: breadcrumb(name, parent.headerPath) });
  }
  for (const [index, leaf] of leaves.entries()) {
    if (index % AT_ONCE === 0) await nextTurn();
    const header = breadcrumb(name, leaf.headerPath);
    const content = contentHash(header, leaf.text);
    const id = leafId(content);
    newIds.set(leaf.id, id);
    newHashes.set(leaf.contentHash, content);
    const place = { id, parentId: newIds.get(leaf.parentId) ?? leaf.parentId };
    named.leaves.push({ ...leaf, ...place, breadcrumb: header, contentHash: content });
  }
  return { document: named, newIds, newHashes };
}

/** A rename converts nothing: what the name promises has to stay what the bytes are. */
function assertSameFormat(name: string, { mediaType }: HeldFile): void {
  const ending = name.slice(name.lastIndexOf('.')).toLowerCase();
  const format = formatOfMediaType(mediaType);
  const endings = ACCEPTED_TYPES.filter((type) => type.format === format).map((type) => type.extension);
  if (endings.includes(ending)) return;
  throw new AppError('unsupported_media_type', {
    detail: `A rename does not convert: "${name}" must end with ${endings.join(' or ')}, as the format of the file does.`,
    errors: [{ pointer: '/name', detail: `must end with ${endings.join(' or ')}`, code: 'invalid_format' }],
  });
}

async function renameInState(tx: Queryable, scope: Scope, from: string, to: string): Promise<void> {
  const project = await findProject(tx, scope, { lock: 'change' });
  if (!project) return;
  const state = renameSource(project.state, from, to);
  const file_summaries = state.file_summaries.map((file) =>
    file.filename === from ? { ...file, filename: to } : file,
  );
  const changed = { ...state, file_summaries };
  if (!isDeepStrictEqual(changed, project.state)) await saveState(tx, scope, changed);
}

const taken = (name: string): AppError =>
  wrongField('file_exists', {
    pointer: '/name',
    detail: `There is a file "${name}" already. Choose another name, or delete that one first.`,
    code: 'file_exists',
  });

/** The use case of another name for a file. */
export function createFileRename({ db, onJob, onJobsRemoved }: FileRenameDeps) {
  async function rename(tx: Queryable, scope: Scope, from: string, to: string, condition: RenameCondition) {
    await holdPlace(tx, scope);
    const file = await holdFile(tx, scope, from);
    const stored = file && (await findFile(tx, scope, from));
    if (!file || !stored) throw fileNotFound(scope, from);
    condition(stored.file);
    if (from === to) return;
    assertSameFormat(to, file);
    const renamed = await renameFileRow(tx, scope, file, to);
    if (!renamed) throw taken(to);
    const { fileId, searchableVersion: version } = file;
    if (version !== null) {
      const fresh = await underName(to, await selectDocument(tx, scope, fileId));
      await replaceIds(tx, scope, { fileId, version }, fresh);
      await enqueueIndexingOf(tx, scope);
    }
    if (renamed.rerun) await enqueueIngest(tx, scope, renamed.rerun, null);
    await renameInState(tx, scope, from, to);
    await refreshFileSummaries(tx, scope);
  }

  return {
    /**
     * Gives a file another name, without reading it again: versions, vectors and summary stay. Context headers, the ids that are
     * made from the name, and what the project's state was taken from go along.
     *
     * @param condition looks at the file before it is renamed, and throws to refuse
     * @throws AppError `file_not_found`, `file_exists`, `invalid_file_name`, `unsupported_media_type`, and what the condition throws
     */
    async rename(scope: Scope, name: string, wanted: string, condition: RenameCondition): Promise<File> {
      const to = fileNameFrom(wanted, '/name');
      const { file } = await requireFile(db, scope, name);
      await db
        .transaction((tx) => rename(tx, scope, file.name, to, condition))
        .catch((error: unknown) => {
          // another took the name at the same moment
          throw (error as { code?: unknown }).code === UNIQUE_VIOLATION ? taken(to) : error;
        });
      onJobsRemoved();
      onJob();
      return (await requireFile(db, scope, to)).file;
    },
  };
}
