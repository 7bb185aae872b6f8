import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { EncoderFolderError } from './folder-error.ts';
import { readFileFacts } from './folder-files.ts';

/** Beside the files of a model that was pulled: what they have to be from then on. */
export const MANIFEST = 'forge-model.json';

const manifestSchema = z.object({
  name: z.string(),
  repository: z.string(),
  /** The commit that they are of. */
  revision: z.string(),
  /** By path in the folder. `pinned`: Forge knew the hash before it asked; else it is that of what came first. */
  files: z.record(z.string(), z.object({ sha256: z.string(), bytes: z.number(), pinned: z.boolean() })),
});

export type ModelManifest = z.output<typeof manifestSchema>;

/** What a folder was pulled as; null: it was put there by hand. */
export function readManifest(folder: string): ModelManifest | null {
  const path = join(folder, MANIFEST);
  if (!existsSync(path)) return null;
  try {
    return manifestSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    throw new EncoderFolderError(
      folder,
      `${MANIFEST} is damaged. Delete the folder, and pull the model again.`,
    );
  }
}

/**
 * Looks whether the files of a model are those that were pulled. Throws an `EncoderFolderError` that names the first that is not.
 *
 * @param known hashes of files that were read already, by path
 */
export function assertUnchanged(
  folder: string,
  manifest: ModelManifest,
  known: ReadonlyMap<string, string>,
): void {
  const hashOf = (path: string): string => known.get(path) ?? readFileFacts(join(folder, path)).sha256;
  for (const [path, { sha256 }] of Object.entries(manifest.files)) {
    const isThere = existsSync(join(folder, path));
    if (isThere && hashOf(path) === sha256) continue;
    throw new EncoderFolderError(
      folder,
      `${path} is ${isThere ? 'not the file that was pulled' : 'missing'}. Delete the folder, and run "forge models pull ${manifest.name}".`,
    );
  }
}
