import { listedFilesSchema, listedPointersSchema } from '../../contract/tool.ts';
import type { ResearchFacts, ResearchResult } from '../model.ts';
import { researchAnswer } from './research-answer.ts';
import { plain, termsOf, wordsOf } from './words.ts';

/** What the planner does next: it thinks, and calls tools or answers. */
export type NextStep =
  | { thought: string; calls: { name: string; input: Record<string, unknown> }[] }
  | { thought: string; answer: string; isWhole: boolean };

const MOST_FILES = 3;
const FILE_NAME =
  /(?<![\p{L}\p{N}])[\p{L}\p{N}][\p{L}\p{N}._-]*\.(?:md|markdown|txt|docx|pdf|html?|csv|json|ya?ml)\b/giu;
const QUOTED_FILE = /["“'`]([^"”'`\n]{1,120}\.[a-z]{2,5})["”'`]/giu;
const ASKS_LIBRARY =
  /\bknowledge ?base\b|\blibrary\b|\bbest practices?\b|\bexamples? from elsewhere\b|\bwissensdatenbank\b|\bbibliothek\b|\bbase de connaissances\b|\bbiblioteca\b/i;
const ASKS_WHOLE =
  /\bsummar(?:y|i[sz]e|i[sz]es)\b|\boverview\b|\bwhat is .{1,80} about\b|\bas a whole\b|\bzusammenfass|\bfasse?\b.*\bzusammen\b|\büberblick\b|\brésum|\bresum(?:e|en|ir)\b/i;
const ASKS_SECTION =
  /\bsections?\b|\bchapters?\b|\bheadings?\b|\bunder the\b|\babschnitt|\bkapitel\b|\bsección\b|\bchapitre\b/i;
const ASKS_FILES =
  /\b(?:which|what|list|how many)\b.{0,30}\b(?:files?|documents?)\b|\bwelche (?:dateien|dokumente)\b/i;
const PROBLEM = /\bproblem statement\b|\bour problem\b|\bmy problem\b|\bproblemstellung\b/i;

/** Plans one step of research by rules: list what there is, search or walk what fits, answer by quoting. */
export function planStep(facts: ResearchFacts): NextStep {
  const { results, isLast } = facts;
  const next = isLast ? null : (followUp(facts) ?? firstCalls(facts));
  if (next && next.calls.length > 0 && !next.calls.every((call) => wasMade(call, results))) return next;
  return {
    thought: 'I have what there is to find, so I answer.',
    answer: researchAnswer(facts),
    // at the last step: whether another one would have followed
    isWhole: !isLast || followUp({ ...facts, isLast: false }) === null,
  };
}

type Calls = Extract<NextStep, { calls: unknown }>;

const wasMade = (call: Calls['calls'][number], results: readonly ResearchResult[]): boolean =>
  results.some(
    ({ tool, input }) => tool === call.name && JSON.stringify(input) === JSON.stringify(call.input),
  );

function firstCalls(facts: ResearchFacts): Calls | null {
  const { question, files, results, tools } = facts;
  if (results.length > 0) return null;
  const named = files.length > 0 ? files : namedFiles(question);
  if (named.length > 0) return readFiles(facts, named);
  if (ASKS_LIBRARY.test(question) && tools.includes('search_knowledge_base')) {
    return {
      thought: 'The question asks for the knowledge base, so I search there.',
      calls: [{ name: 'search_knowledge_base', input: { query: queryOf(facts) } }],
    };
  }
  if (!tools.includes('list_project_files')) {
    return {
      thought: 'Only the knowledge base may be looked at.',
      calls: [{ name: 'search_knowledge_base', input: { query: queryOf(facts) } }],
    };
  }
  return {
    thought: 'The question does not name a file, so I look at what there is.',
    calls: [{ name: 'list_project_files', input: {} }],
  };
}

/** What the latest result calls for; null: nothing more. */
function followUp(facts: ResearchFacts): Calls | null {
  const { question, results } = facts;
  const last = results.at(-1);
  if (!last || last.isError) return null;
  if (last.tool === 'list_project_files') return afterListing(facts, last);
  if (last.tool === 'document_outline' || last.tool === 'find_sections') return afterPointers(facts, last);
  const isSearch = last.tool === 'search_in_document' || last.tool === 'search_knowledge_base';
  const named = facts.files.length > 0 || namedFiles(question).length > 0;
  if (isSearch && last.passages.length === 0 && !named && facts.tools.includes('search_documents')) {
    return {
      thought: 'That has nothing on it, so I search all documents of the project.',
      calls: [{ name: 'search_documents', input: { query: queryOf(facts) } }],
    };
  }
  return null;
}

function afterListing(facts: ResearchFacts, { structured }: ResearchResult): Calls | null {
  const listed = listedFilesSchema.safeParse(structured).data?.files ?? [];
  if (listed.length === 0 || ASKS_FILES.test(facts.question)) return null;
  const fitting = fittingFiles(
    facts.question,
    listed.map(({ filename }) => filename),
  );
  if (fitting.length > 0) return readFiles(facts, fitting);
  return {
    thought: 'No file is named like that, so I search all of them.',
    calls: [{ name: 'search_documents', input: { query: queryOf(facts) } }],
  };
}

function afterPointers(facts: ResearchFacts, { structured, input }: ResearchResult): Calls | null {
  const pointers = listedPointersSchema.safeParse(structured).data?.pointers ?? [];
  const { filename } = (input ?? {}) as { filename?: unknown };
  // the name of the file is no heading that is asked for
  const ofFile = new Set(termsOf(String(filename ?? '')));
  const wanted = new Set(termsOf(facts.question).filter((term) => !ofFile.has(term)));
  const scored = pointers
    .map((pointer) => ({ pointer, shared: termsOf(pointer.title).filter((term) => wanted.has(term)).length }))
    .filter(({ shared }) => shared > 0)
    .sort((a, b) => b.shared - a.shared);
  const [best] = scored;
  if (!best) return searchInstead(facts);
  return {
    thought: `The heading "${best.pointer.title}" fits, so I read what stands under it.`,
    calls: [{ name: 'read_pointer', input: { pointer_id: best.pointer.pointer_id } }],
  };
}

function searchInstead(facts: ResearchFacts): Calls | null {
  const outline = facts.results.findLast(({ tool }) => tool === 'document_outline');
  const { filename } = (outline?.input ?? {}) as { filename?: unknown };
  if (typeof filename !== 'string') return null;
  return {
    thought: 'No heading fits, so I search in the document.',
    calls: [{ name: 'search_in_document', input: { filename, query: queryOf(facts) } }],
  };
}

function readFiles(facts: ResearchFacts, filenames: readonly string[]): Calls {
  const { question, tools } = facts;
  const name = ASKS_WHOLE.test(question)
    ? 'summarize_document'
    : ASKS_SECTION.test(question) && tools.includes('document_outline')
      ? 'document_outline'
      : 'search_in_document';
  const chosen = filenames.slice(0, MOST_FILES);
  const how =
    name === 'summarize_document'
      ? 'I summarise'
      : name === 'document_outline'
        ? 'The question names a section, so I look at the outline of'
        : 'I look in';
  return {
    thought: `${how} ${chosen.join(' and ')}.`,
    calls: chosen.map((filename) => ({
      name,
      input: name === 'search_in_document' ? { filename, query: queryOf(facts) } : { filename },
    })),
  };
}

/** The question, with the project's problem where it refers to that. */
function queryOf({ question, stateLines }: ResearchFacts): string {
  const problem = PROBLEM.test(question) ? stateLines.find((line) => /^problem/i.test(line)) : undefined;
  return (problem === undefined ? question : `${problem.replace(/^[^:]*:\s*/, '')} ${question}`).slice(
    0,
    2_000,
  );
}

/** Names of files that stand in a text, whether or not there are such files. */
function namedFiles(question: string): string[] {
  const quoted = [...question.matchAll(QUOTED_FILE)].map(([, name = '']) => name);
  const bare = [...question.matchAll(FILE_NAME)].map(([name]) => name);
  const names = [...quoted, ...bare.filter((name) => !quoted.some((other) => other.endsWith(name)))];
  return [...new Set(names)];
}

/** The files whose name the question has, or most of the words of it. */
function fittingFiles(question: string, filenames: readonly string[]): string[] {
  const words = new Set(wordsOf(question));
  const terms = new Set(termsOf(question));
  const text = plain(question);
  return filenames
    .map((filename) => {
      const stem = filename.replace(/\.[^.]{1,8}$/, '');
      if (text.includes(plain(filename))) return { filename, share: 2 };
      const own = wordsOf(stem).filter((word) => word.length > 2 && !/^\d+$/.test(word));
      const shared = own.filter((word) => words.has(word) || termsOf(word).some((term) => terms.has(term)));
      return { filename, share: own.length === 0 ? 0 : shared.length / own.length };
    })
    .filter(({ share }) => share >= 0.5)
    .sort((a, b) => b.share - a.share)
    .filter(({ share }, _, [first]) => share === first?.share)
    .map(({ filename }) => filename);
}
