import type { Database } from '../db/database.ts';
import { findFile, type StoredFile } from '../db/files.ts';
import { AppError, fileNotFound } from '../errors.ts';
import type { Scope } from '../scope.ts';
import { storableText } from '../text/storable.ts';
import { requirePlace } from './places.ts';

/**
 * The file of this name.
 *
 * @throws AppError `project_not_found`, `file_not_found`
 */
export async function requireFile(db: Database, scope: Scope, name: string): Promise<StoredFile> {
  await requirePlace(db, scope);
  const file = await findFile(db, scope, storableText(name).normalize('NFC'));
  if (file) return file;
  throw fileNotFound(scope, name);
}

/** The file has no such form, of its newest version or of the one that was asked for. */
export const unavailable = (what: string, { file }: StoredFile, version: number | undefined): AppError =>
  new AppError('content_not_available', {
    detail: `"${file.name}" has no ${what}${version === undefined ? '' : ` of version ${version}`}: its status is ${file.status}.`,
  });
