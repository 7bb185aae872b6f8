import { createHash } from 'node:crypto';
import type { Leaf, Parent } from '../../src/documents/chunking/chunks.ts';
import type { StoredDocument } from './stored-document.ts';

/** A parent with the leaves it is to have. */
export interface TestSection {
  path: string[];
  leaves: string[];
}

/** A document that is cut exactly as told: one parent a section. */
export function sectionedDocument(filename: string, sections: readonly TestSection[]): StoredDocument {
  const parents: Parent[] = [];
  const leaves: Leaf[] = [];
  let at = 0;
  for (const { path: headerPath, leaves: texts } of sections) {
    const breadcrumb = `[Source: ${[filename, ...headerPath].join(' > ')}]`;
    const shared = { headerPath, breadcrumb, page: null, tokens: 10 };
    const parentId = `${filename}#${parents.length}`;
    const text = texts.join('\n\n');
    const charStart = at;
    for (const leafText of texts) {
      leaves.push({
        ...shared,
        id: `${filename}#leaf-${leaves.length}`,
        parentId,
        leafIndex: leaves.length,
        text: leafText,
        charStart: at,
        charEnd: at + leafText.length,
        contentHash: createHash('sha256').update(`${breadcrumb}\n\n${leafText}`).digest('hex'),
        oversized: false,
      });
      at += leafText.length + 2;
    }
    parents.push({
      ...shared,
      id: parentId,
      parentIndex: parents.length,
      text,
      charStart,
      charEnd: charStart + text.length,
    });
  }
  return { filename, parents, leaves };
}
