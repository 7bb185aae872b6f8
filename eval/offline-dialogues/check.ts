import { asPattern, type Expectation } from './dialogue.ts';
import { brokenQuotes } from './whole-quotes.ts';

/** What came of a message: the reply, and what the project holds afterwards. */
export interface Outcome {
  reply: string;
  citations: { document: string; quote: string }[];
  /** The value of each field that is filled. */
  skeleton: Record<string, string>;
  /** The statements of the register. */
  assumptions: string[];
  documentsSearched: boolean;
}

/**
 * What of an expectation an outcome does not meet, a line each. Texts are compared without regard to case, and any blank
 * stands for any other.
 *
 * @param texts the project's documents as the service has them, in Markdown
 */
export function unmet(expected: Expectation, outcome: Outcome, texts: readonly string[]): string[] {
  return [
    ...unmetOfReply(expected, outcome.reply),
    ...unmetCitations(expected, outcome),
    ...unmetOfState(expected, outcome),
    ...(expected.no_documents_searched && outcome.documentsSearched ? ['documents were searched'] : []),
    ...(expected.whole_quotes
      ? brokenQuotes(outcome.reply, texts).map((quote) => `quotes without beginning or end: "${quote}"`)
      : []),
  ];
}

function unmetOfReply(expected: Expectation, reply: string): string[] {
  const { contains = [], contains_any = [], not_contains = [], matches = [], not_matches = [] } = expected;
  return [
    ...contains.filter((text) => !has(reply, text)).map((text) => `the reply does not have "${text}"`),
    ...contains_any
      .filter((texts) => !texts.some((text) => has(reply, text)))
      .map((texts) => `the reply has none of "${texts.join('", "')}"`),
    ...not_contains.filter((text) => has(reply, text)).map((text) => `the reply has "${text}"`),
    ...matches
      .filter((source) => !asPattern(source).test(reply))
      .map((source) => `the reply does not match ${source}`),
    ...not_matches
      .filter((source) => asPattern(source).test(reply))
      .map((source) => `the reply matches ${source}`),
  ];
}

function unmetCitations({ cites }: Expectation, { citations }: Outcome): string[] {
  if (!cites) return [];
  if (cites.length === 0) {
    return citations.map(({ document, quote }) => `cites ${document} for nothing: "${quote}"`);
  }
  return cites
    .filter(
      (wanted) =>
        !citations.some(
          ({ document, quote }) => document === wanted.document && has(quote, wanted.quote_contains ?? ''),
        ),
    )
    .map(({ document, quote_contains = '' }) => `does not cite ${document} "${quote_contains}"`);
}

function unmetOfState(expected: Expectation, { skeleton, assumptions }: Outcome): string[] {
  const { skeleton: fields = {}, skeleton_unset = [], assumption_contains = [], no_assumption } = expected;
  return [
    ...Object.entries(fields)
      .filter(([field, text]) => !has(skeleton[field] ?? '', text))
      .map(([field, text]) => `${field} is "${skeleton[field] ?? ''}", without "${text}"`),
    ...skeleton_unset
      .filter((field) => skeleton[field] !== undefined)
      .map((field) => `${field} is "${skeleton[field]}", although nobody said so`),
    ...assumption_contains
      .filter((text) => !assumptions.some((statement) => has(statement, text)))
      .map((text) => `no assumption has "${text}"`),
    ...(no_assumption ? assumptions.map((statement) => `registers "${statement}"`) : []),
  ];
}

const has = (text: string, part: string): boolean => folded(text).includes(folded(part));
const folded = (text: string): string => text.replace(/\s+/g, ' ').toLowerCase();
