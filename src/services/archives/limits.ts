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

/** What a service takes of a project; sizes in bytes. */
export interface ProjectLimits {
  files: number;
  turns: number;
  /** Of `files.jsonl`, which is held as a whole. */
  fileListBytes: number;
  /** Of one version. */
  originalBytes: number;
  markdownBytes: number;
}

/**
 * What a service takes of a project that holds so many files of such a size. Each turn's number is held while it is checked:
 * nobody talks for so long.
 */
export const projectLimits = (files: number, maxUploadBytes: number): ProjectLimits => ({
  files,
  turns: 100_000,
  fileListBytes: 64 * MB,
  originalBytes: maxUploadBytes,
  // a table with a name in front of each value is the longest
  markdownBytes: Math.max(64 * MB, 8 * maxUploadBytes),
});
