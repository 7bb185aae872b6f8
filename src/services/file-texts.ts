import type { FidelityReport } from '../contract/fidelity.ts';
import type { Leaf } from '../contract/leaf.ts';
import type { List } from '../contract/list.ts';
import type { Database } from '../db/database.ts';
import { selectLeaves } from '../db/documents.ts';
import { markdownLength, readFidelity, readMarkdown } from '../db/file-versions.ts';
import type { Scope } from '../scope.ts';
import { requireFile, unavailable } from './file-lookup.ts';
import { type PageRequest, readPage } from './page.ts';

/** What is known of a version's Markdown before it is read. */
export interface MarkdownFacts {
  /** Bytes of it in UTF-8. */
  length: number;
  version: number;
  etag: string;
}

/** The use cases of what became of a file: its Markdown, what the conversion lost, its leaves. */
export function createFileTexts({ db }: { db: Database }) {
  return {
    /**
     * What is known of the Markdown of the searchable version, or of one version by number, without reading it: its
     * number, its length in bytes, and a tag that changes with it.
     */
    async markdownFacts(scope: Scope, name: string, version?: number): Promise<MarkdownFacts> {
      const stored = await requireFile(db, scope, name);
      const wanted = version ?? stored.file.searchable_version;
      const length = wanted === null ? null : await markdownLength(db, scope, stored.fileId, wanted);
      if (length === null || wanted === null) throw unavailable('Markdown', stored, version);
      return { length, version: wanted, etag: `${stored.fileId}-${wanted}` };
    },

    /** The Markdown of a version. */
    async markdown(scope: Scope, name: string, version: number): Promise<string> {
      const stored = await requireFile(db, scope, name);
      const markdown = await readMarkdown(db, scope, stored.fileId, version);
      if (markdown === null) throw unavailable('Markdown', stored, version);
      return markdown;
    },

    /** What the conversion kept and lost: of the newest version that was converted, or of one by number. */
    async fidelity(scope: Scope, name: string, version?: number): Promise<FidelityReport> {
      const stored = await requireFile(db, scope, name);
      const report = await readFidelity(db, scope, stored.fileId, version ?? null);
      if (!report) throw unavailable('fidelity report', stored, version);
      return {
        ...report.fidelity,
        object: 'fidelity_report',
        name: stored.file.name,
        version: report.version,
      };
    },

    /** The leaves of the searchable version, in document order. */
    async leaves(scope: Scope, name: string, page: PageRequest): Promise<List<Leaf>> {
      const { fileId } = await requireFile(db, scope, name);
      return await readPage(
        { of: 'leaves', scope, within: fileId },
        page,
        (bounds) => selectLeaves(db, scope, fileId, bounds),
        (leaf) => String(leaf.leaf_index),
      );
    },
  };
}
