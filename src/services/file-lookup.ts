import type { Database } from '../db/database.ts';
import { findFile, type StoredFile } from '../db/files.ts';
import { fileNotFound } from '../errors.ts';
import type { Scope } from '../scope.ts';
import { storableText } from '../text/storable.ts';
import { requireProject } from './projects.ts';

/**
 * The file of this name.
 *
 * @throws AppError `project_not_found`, `file_not_found`
 */
export async function requireFile(db: Database, scope: Scope, name: string): Promise<StoredFile> {
  await requireProject(db, scope);
  const file = await findFile(db, scope, storableText(name).normalize('NFC'));
  if (file) return file;
  throw fileNotFound(scope.projectId, name);
}
