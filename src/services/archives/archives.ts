import { type ArchiveExportDeps, createArchiveExport } from './export.ts';
import { type ArchiveImportDeps, createArchiveImport } from './import.ts';

/** The use cases of projects that go out and come in as archives. */
export const createArchiveService = (deps: ArchiveExportDeps & ArchiveImportDeps) => ({
  ...createArchiveExport(deps),
  ...createArchiveImport(deps),
});

export type ArchiveService = ReturnType<typeof createArchiveService>;
