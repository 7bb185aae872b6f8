import type { Database } from '../../db/database.ts';
import type { SearchDatabase } from '../../db/search-database.ts';
import type { QueryEmbedder } from '../../retrieval/query-vector.ts';
import type { Reranker } from '../../retrieval/rerank.ts';
import type { OutlineService } from '../outlines/service.ts';
import { documentOutline } from './document-outline.ts';
import { findSections } from './find-sections.ts';
import { listProjectFiles } from './list-project-files.ts';
import { readPointer } from './read-pointer.ts';
import { searchDocuments } from './search-documents.ts';
import { searchInDocument } from './search-in-document.ts';
import { searchKnowledgeBase } from './search-knowledge-base.ts';
import { type SummarizeDocumentDeps, summarizeDocument } from './summarize-document.ts';
import type { Tool } from './tool.ts';

export interface ToolDeps extends SummarizeDocumentDeps {
  db: Database;
  searchDb: SearchDatabase;
  embedder: QueryEmbedder;
  /** Null: there is none. */
  reranker: Reranker | null;
  outlines: OutlineService;
  /** Whether there are the tools that walk outlines; true where nothing is said. */
  outlineTools?: boolean;
}

/** Every read-only tool there is: the research agent has all, and a client may call any by hand. */
export function createTools(deps: ToolDeps): readonly Tool[] {
  const { db, outlines, outlineTools = true } = deps;
  return [
    listProjectFiles(db),
    ...(outlineTools ? [documentOutline(outlines), findSections(outlines), readPointer(db, outlines)] : []),
    searchDocuments(deps),
    searchInDocument(deps),
    summarizeDocument(deps),
    searchKnowledgeBase(deps),
  ];
}

/**
 * Those that a turn has. It is shown the files and what a search finds before it begins, so the others would only cost
 * their definitions.
 */
const OF_TURNS: ReadonlySet<string> = new Set([
  'document_outline',
  'find_sections',
  'read_pointer',
  'search_documents',
]);

export const toolsOfTurns = (tools: readonly Tool[]): readonly Tool[] =>
  tools.filter(({ name }) => OF_TURNS.has(name));
