import type { Queryable } from '../../db/database.ts';
import type { QueryEmbedder } from '../../retrieval/query-vector.ts';
import type { OutlineService } from '../outlines/service.ts';
import { documentOutline } from './document-outline.ts';
import { findSections } from './find-sections.ts';
import { readPointer } from './read-pointer.ts';
import { searchDocuments } from './search-documents.ts';
import type { DocumentTool } from './tool.ts';

export interface DocumentToolDeps {
  db: Queryable;
  embedder: QueryEmbedder;
  outlines: OutlineService;
}

/** The read-only tools over a project's documents. */
export const createDocumentTools = ({
  db,
  embedder,
  outlines,
}: DocumentToolDeps): readonly DocumentTool[] => [
  documentOutline(outlines),
  findSections(outlines),
  readPointer(db, outlines),
  searchDocuments(db, embedder),
];
