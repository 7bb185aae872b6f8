import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type EvalDocument, OWN_PROJECTS, ownDocuments } from '../documents/own.ts';
import { evalDir, readGzip, readRows } from '../retrieval-data.ts';

/** A group of documents that questions are asked of together. */
export interface Project {
  name: string;
  documents: EvalDocument[];
}

export interface Projects {
  projects: Project[];
  /** One sentence for each project whose documents are not there. */
  skipped: string[];
}

const OFFICE_FILES = {
  docx: [
    'docx4j__Creating_SmartArt_with_docx4j.docx',
    'docx4j__WordAddIn_walkthrough.docx',
    'docx4j__decracdiscrim1.docx',
    'markitdown__test.docx',
    'poi__Bug51170.docx',
    'poi__bug57031.docx',
    'poi__stress006.docx',
  ],
  pdf: [
    'docling__multi_page.pdf',
    'markitdown__REPAIR-2022-INV-001_multipage.pdf',
    'markitdown__SPARSE-2024-INV-1234_borderless_table.pdf',
    'markitdown__masterformat_partial_numbering.pdf',
  ],
};
const MANUALS = ['CppCoreGuidelines.md', 'commonmark-spec.md', 'pandoc-MANUAL.md'];

const asDocument = (name: string, text: string): EvalDocument => ({ name, bytes: Buffer.from(text) });

const corpus = (name: string) => (): EvalDocument[] => [
  asDocument(`${name}.md`, readGzip('chunking-eval', `corpora/${name}.md.gz`)),
];

/** The page `https://host/en/api/errors` is the document `en-api-errors.md`. */
const pageName = (url: string): string =>
  `${new URL(url).pathname
    .split('/')
    .filter((part) => part !== '')
    .join('-')}.md`;

const OUTSIDE: Record<string, () => EvalDocument[]> = {
  'claude-docs': () =>
    readRows<{ doc: string; markdown: string }>('anthropic-docs-qa', 'pages.jsonl.gz').map(
      ({ doc, markdown }) => asDocument(pageName(doc), markdown),
    ),
  finance: corpus('finance'),
  pubmed: corpus('pubmed'),
  speech: corpus('state_of_the_union'),
  encyclopedia: corpus('wikitexts'),
  chatlogs: corpus('chatlogs'),
  'office-files': () =>
    Object.entries(OFFICE_FILES).flatMap(([set, names]) =>
      names.map((name) => ({ name, bytes: readFileSync(join(evalDir(), set, 'good', name)) })),
    ),
  manuals: () => MANUALS.map((name) => asDocument(name, readGzip('outline', `docs/${name}.gz`))),
};

export const PROJECT_NAMES: readonly string[] = [...OWN_PROJECTS, ...Object.keys(OUTSIDE)];

/** The projects with their documents: those of the repository, and those of EVAL_DIR as far as they are there. */
export function readProjects(): Projects {
  const projects: Project[] = OWN_PROJECTS.map((name) => ({ name, documents: ownDocuments(name) }));
  const skipped: string[] = [];
  for (const [name, read] of Object.entries(OUTSIDE)) {
    try {
      projects.push({ name, documents: read() });
    } catch (error) {
      if (!isMissing(error)) throw error;
      skipped.push(`${name}: skipped, its documents are not in ${evalDir()}`);
    }
  }
  return { projects, skipped };
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';
