import type { ArchiveLimits } from '../../archive/open-archive.ts';

const MB = 1024 * 1024;

/**
 * How many times its length an archive may unpack to. Prompts and Markdown shrink to a fifth, vectors hardly; what shrinks to
 * less than a tenth as a whole is made to do so.
 */
const EXPANSION = 10;

/** What an archive may hold that is imported. */
export const archiveLimits = (maxImportBytes: number): ArchiveLimits => ({
  entries: 100_000,
  unpackedBytes: EXPANSION * maxImportBytes,
  documentBytes: 64 * MB,
  lineBytes: 32 * MB,
});
