import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

function findPackageRoot(): string {
  let directory = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(directory, 'package.json'))) {
    const parent = dirname(directory);
    if (parent === directory) throw new Error('package.json not found above the source');
    directory = parent;
  }
  return directory;
}

/** The folder of package.json, from source and build alike: `migrations/` and `knowledge/` lie in it. */
export const packageRoot = findPackageRoot();
