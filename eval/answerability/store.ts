import { chunkingSchema } from '../../src/contract/chunking.ts';
import { createConverter } from '../../src/documents/conversion/pool.ts';
import { detectFormat } from '../../src/documents/formats/detect.ts';
import type { Scope } from '../../src/scope.ts';
import type { StoredDocument } from '../../test/helpers/stored-document.ts';
import type { EvalStore } from '../retrieval-store.ts';
import type { Project } from './projects.ts';

/** Converts, cuts, embeds and indexes the documents of some projects as an upload does; gives each project's scope by its name. */
export async function storeProjects(
  store: EvalStore,
  projects: readonly Project[],
): Promise<Map<string, Scope>> {
  const converter = createConverter();
  const chunking = chunkingSchema.parse({ strategy: 'hierarchical' });
  const scopes = new Map<string, Scope>();
  try {
    for (const { name, documents } of projects) {
      const cut: StoredDocument[] = [];
      for (const { name: filename, bytes } of documents) {
        const { format, mediaType } = detectFormat(filename, bytes);
        const { document } = await converter.convert({ name: filename, bytes, format, chunking });
        cut.push({ filename, mediaType, ...document });
      }
      const scope = await store.addProject(name);
      await store.addDocuments(scope, cut);
      scopes.set(name, scope);
    }
  } finally {
    await converter.close();
  }
  return scopes;
}
