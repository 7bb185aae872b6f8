import { listedFilesSchema } from '../../contract/tool.ts';
import type { ResearchFacts, ResearchResult } from '../model.ts';
import { bestQuotes, type Quote } from './quotes.ts';
import { termsOf } from './words.ts';

const MOST_QUOTES = 5;

/** Answers a question from what the tools gave: what could not be done, what was found word for word, what was not. */
export function researchAnswer(facts: ResearchFacts): string {
  const { results, question } = facts;
  const failed = results.filter(({ isError }) => isError);
  const passages = [
    ...new Map(results.flatMap(({ passages }) => passages).map((one) => [one.marker, one])).values(),
  ];
  const quotes = bestQuotes(question, passages, { count: MOST_QUOTES, isQuestion: true });
  const summaries = results.filter(({ tool, isError }) => tool === 'summarize_document' && !isError);
  const parts = [
    ...failed.map(couldNot),
    ...summaries.map(({ lines }) => lines.join('\n')),
    ...(quotes.length > 0 ? [`The documents say on this:\n${quotes.map(quoteLine).join('\n')}`] : []),
  ];
  if (parts.length > 0) return parts.join('\n\n');
  const nearest = underHeading(question, passages);
  if (nearest) return `The nearest that the documents have is this:\n${quoteLine(nearest)}`;
  return nothing(results);
}

/** What stands first under the heading that has most of the question. */
function underHeading(
  question: string,
  passages: ResearchResult['passages'],
): Omit<Quote, 'coverage'> | null {
  const wanted = new Set(termsOf(question));
  const candidates = passages.flatMap((passage) =>
    passage.text.split(/(?=^#{1,6}\s)/m).flatMap((piece) => {
      const [heading = '', ...lines] = piece.split('\n');
      const shared = termsOf(heading).filter((term) => wanted.has(term)).length;
      const text = lines.find((line) => line.trim() !== '')?.trim();
      return shared > 0 && text !== undefined ? [{ passage, text, shared }] : [];
    }),
  );
  const [best] = candidates.sort((a, b) => b.shared - a.shared);
  return best ? { passage: best.passage, shown: `“${best.text}”` } : null;
}

/** `"x.md" was not found`, or else what the tool said. */
function couldNot({ input, lines }: ResearchResult): string {
  const { filename } = (input ?? {}) as { filename?: unknown };
  const [said = ''] = lines;
  if (typeof filename === 'string' && /there is no file/i.test(said)) {
    return `I could not complete your request because '${filename}' was not found.`;
  }
  return `I could not complete your request: ${said.replace(/^Not done\.\s*/, '')}`;
}

function nothing(results: readonly ResearchResult[]): string {
  const listing = results.findLast(({ tool }) => tool === 'list_project_files');
  const said = results.findLast(({ tool }) => tool !== 'list_project_files')?.lines ?? [];
  if (said.length > 0) return `The documents do not say. ${said.join(' ')}`;
  const listed = listedFilesSchema.safeParse(listing?.structured).data;
  if (!listed) return 'The documents do not say.';
  if (listed.files.length === 0) return 'The project has no files yet, so nothing can be looked up in them.';
  return `These are the files of the project:\n${(listing?.lines ?? []).slice(1).join('\n')}`;
}

function quoteLine({ passage, shown }: Omit<Quote, 'coverage'>): string {
  const place = [passage.filename, ...passage.headerPath].join(' > ').replace(/\s+/g, ' ');
  return `- ${place}: ${shown} [${passage.marker}]`;
}
