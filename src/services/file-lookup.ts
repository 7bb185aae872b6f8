import type { Database } from '../db/database.ts';
import { findFile, findFiles, type StoredFile } from '../db/files.ts';
import { AppError, fileNotFound } from '../errors.ts';
import { nameOf, pathOf, type Scope } from '../scope.ts';
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

/**
 * The files of these names, each once, in their order.
 *
 * @throws AppError `project_not_found`; `file_not_found` with an error for each name that there is not
 */
export async function requireFiles(
  db: Database,
  scope: Scope,
  names: readonly string[],
): Promise<StoredFile[]> {
  await requirePlace(db, scope);
  const wanted = new Map(names.map((name, index) => [storableText(name).normalize('NFC'), index]));
  const found = new Map((await findFiles(db, scope, [...wanted.keys()])).map((one) => [one.file.name, one]));
  const missing = [...wanted].filter(([name]) => !found.has(name));
  if (missing.length > 0) {
    throw new AppError('file_not_found', {
      detail: `There is no file ${missing.map(([name]) => `"${name}"`).join(', ')} in ${nameOf(scope)}. GET ${pathOf(scope)}/files lists those there are.`,
      errors: missing.map(([, index]) => ({
        pointer: `/names/${index}`,
        detail: 'names no file',
        code: 'file_not_found',
      })),
    });
  }
  return [...wanted.keys()].flatMap((name) => found.get(name) ?? []);
}

/** The file has no such form, of its newest version or of the one that was asked for. */
export const unavailable = (what: string, { file }: StoredFile, version: number | undefined): AppError =>
  new AppError('content_not_available', {
    detail: `"${file.name}" has no ${what}${version === undefined ? '' : ` of version ${version}`}: its status is ${file.status}.`,
  });
