import { z } from 'zod';
import { type ProjectState, projectStateSchema, STATE_SCHEMA_VERSION } from '../contract/state.ts';
import { AppError } from '../errors.ts';

/** Turns a document of one version into the next one. */
type Migration = (document: Record<string, unknown>) => Record<string, unknown>;

// Version -> the step to the version after it. Steps are only ever added, so that every stored document can be read.
const MIGRATIONS: Readonly<Record<number, Migration>> = {};

/**
 * The stored state of a project: validated, and brought to the present version if it is older.
 *
 * @throws AppError `internal_error`, with the reason as its cause: it was written by a newer program, or is damaged
 */
export function readState(json: unknown, migrations = MIGRATIONS): ProjectState {
  let document = objectOrFail(json);
  while (document.schema_version !== STATE_SCHEMA_VERSION) {
    const version = document.schema_version;
    if (typeof version !== 'number' || !Number.isInteger(version))
      throw unreadable('it has no schema_version');
    if (version > STATE_SCHEMA_VERSION) throw unreadable(`its version ${version} is newer than this program`);
    const step = migrations[version];
    if (!step) throw unreadable(`there is no migration from version ${version}`);
    document = { ...step(document), schema_version: version + 1 };
  }
  const parsed = projectStateSchema.safeParse(document);
  if (!parsed.success) throw unreadable(z.prettifyError(parsed.error));
  return parsed.data;
}

function objectOrFail(json: unknown): Record<string, unknown> {
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw unreadable('it is not an object');
  return json as Record<string, unknown>;
}

function unreadable(reason: string): AppError {
  return new AppError('internal_error', {
    detail: 'The stored state of the project cannot be read.',
    cause: new Error(`stored project state: ${reason}`),
  });
}
