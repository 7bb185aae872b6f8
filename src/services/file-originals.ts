import { forWorkspace } from '../db/bound-database.ts';
import type { Database } from '../db/database.ts';
import { findOriginal, type OriginalFacts } from '../db/file-versions.ts';
import { findFile } from '../db/files.ts';
import type { Scope } from '../scope.ts';
import { storableText } from '../text/storable.ts';
import { requireFile, unavailable } from './file-lookup.ts';
import type { Originals } from './originals/originals.ts';
import { requirePlace } from './places.ts';

/** What is held of a download at a time. */
const SLICE_BYTES = 1024 * 1024;

/** The use cases of the bytes that were uploaded. */
export function createFileOriginals({ db, originals }: { db: Database; originals: Originals }) {
  return {
    /**
     * The facts about the bytes of the newest upload, or of one version by number.
     *
     * @throws AppError `encryption_key_missing`, and what says that there are none
     */
    async original(
      scope: Scope,
      name: string,
      version?: number,
    ): Promise<OriginalFacts & { fileId: string; name: string }> {
      const stored = await requireFile(db, scope, name);
      const { file, fileId } = stored;
      const facts = await findOriginal(db, scope, fileId, version ?? file.version);
      if (!facts) throw unavailable('bytes', stored, version);
      originals.assertReadable(facts.keyId);
      return { ...facts, fileId, name: file.name };
    },

    /** What stands for the newest bytes of a name; null where there is no such file. */
    async contentTag(scope: Scope, name: string): Promise<{ sha256: string } | null> {
      await requirePlace(db, scope);
      const found = await findFile(db, scope, storableText(name).normalize('NFC'));
      return found && { sha256: found.file.sha256 };
    },

    /** The bytes of a version as they came, from `start` to `end` (exclusive), some at a time. */
    async *bytes(
      scope: Scope,
      file: { fileId: string; version: number },
      { start, end }: { start: number; end: number },
    ): AsyncGenerator<Buffer> {
      // whoever reads them on may be a socket, which is of no workspace
      const own = forWorkspace(db, scope.workspaceId);
      for (let offset = start; offset < end; offset += SLICE_BYTES) {
        const length = Math.min(SLICE_BYTES, end - offset);
        const slice = await originals.read(own, scope, file, { offset, length });
        if (!slice) throw new Error('the file was deleted while it was read');
        yield slice;
      }
    },
  };
}
