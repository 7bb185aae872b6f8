import type { Database } from '../../db/database.ts';
import { findOutlinedFile, type OutlinedFile } from '../../db/outlines.ts';
import { fileNotFound } from '../../errors.ts';
import type { Scope } from '../../scope.ts';
import { storableText } from '../../text/storable.ts';
import { requireFile } from '../file-lookup.ts';

/** When a caller that found something pending does well to ask again. */
export const RETRY_AFTER_MS = 1_000;

/** How a document stands with its readers; the version is the one that they read. */
export type Standing =
  | { state: 'ready' | 'stale'; version: number; detail: string | null }
  | { state: 'pending' | 'unsupported_format'; version: null; detail: string };

/** What can be read of a file now: a version that is out of date is read, and says so. */
export function standingOf(file: OutlinedFile): Standing {
  const { name, searchableVersion: version, lastError } = file;
  if (version !== null) {
    if (version === file.version) return { state: 'ready', version, detail: null };
    const newer = lastError
      ? `Version ${file.version} could not be read: ${lastError.message}`
      : `Version ${file.version} is being read; this is version ${version}.`;
    return { state: 'stale', version, detail: newer };
  }
  if (file.status !== 'failed') {
    return { state: 'pending', version, detail: `"${name}" is being read: its status is ${file.status}.` };
  }
  const reason = lastError?.message ?? 'It could not be read.';
  // what failed for a passing reason may be read yet
  if (lastError?.retryable) return { state: 'pending', version, detail: `${reason} Retry the file.` };
  return { state: 'unsupported_format', version, detail: reason };
}

/**
 * The file of this name, with the state of its outline.
 *
 * @throws AppError `project_not_found`, `file_not_found`
 */
export async function requireOutlinedFile(db: Database, scope: Scope, name: string): Promise<OutlinedFile> {
  const file = await findOutlinedFile(db, scope, storableText(name).normalize('NFC'));
  if (file) return file;
  await requireFile(db, scope, name);
  // made between the two looks
  throw fileNotFound(scope, name);
}
