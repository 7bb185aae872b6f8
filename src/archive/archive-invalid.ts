import { AppError } from '../errors.ts';

/** The archive is not whole, not what its manifest says, or not one of a project; nothing of it was stored. */
export const archiveInvalid = (detail: string, cause?: unknown): AppError =>
  new AppError('archive_invalid', { detail: `${detail} Nothing was stored.`, cause });

/** The archive holds more than this service takes. */
export const archiveTooLarge = (detail: string): AppError =>
  new AppError('archive_too_large', { detail: `${detail} Nothing was stored.` });
