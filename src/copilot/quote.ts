import { sentenceStarts } from '../text/sentences.ts';
import { matchedSpans, type SentPassage, type Span } from './sections/documents.ts';

/** A sentence, table row or list item of a passage, as a range of its text. */
interface Unit extends Span {
  terms: Set<string>;
}

/** Finds what a claim was taken from. */
export interface Quoter {
  /** The range of the passage's text that says most of what the claim says. */
  quote(claim: string): Span;
}

const LONGEST_QUOTE = 600;
const STRUCTURE = /^[ \t]{0,40}(?:#{1,6} |\||>|[-*+] |\d{1,9}[.)] |`{3}|~{3})/;
const LEAD = /^(?:[ \t]|[-*+>] |\d{1,9}[.)] )+/;
const HEADING = /^[ \t]{0,3}#{1,6} /;
const TABLE_ROW = /^[ \t]{0,3}\|/;
const TABLE_RULE = /^\n[ \t]{0,3}\|[ \t]*:?-+:?[ \t]*(?:\||$)/;
const LONGEST_RULE = 400;
// A neighbour joins the quote when it adds this much of what the best sentence has.
const WORTH_JOINING = 0.35;
// What a sentence inside a matched leaf has ahead of the same sentence outside.
const MATCHED_BONUS = 1.1;

/** Prepares a passage for quoting. Only what was sent of it is quoted. */
export function createQuoter({ passage, spans }: SentPassage): Quoter {
  const { text } = passage;
  const units = spans.flatMap((span) => unitsOf(text, span));
  const matched = matchedSpans(passage);
  const inMatched = (unit: Unit): boolean =>
    matched.some((span) => unit.start < span.end && span.start < unit.end);
  const frequency = new Map<string, number>();
  for (const unit of units) {
    for (const term of unit.terms) frequency.set(term, (frequency.get(term) ?? 0) + 1);
  }
  // BM25's weight of a term: next to nothing for one that most sentences have
  const weight = (term: string): number => {
    const having = frequency.get(term) ?? units.length;
    return Math.log(1 + (units.length - having + 0.5) / (having + 0.5));
  };
  const shared = (unit: Unit, wanted: Set<string>): number => {
    let sum = 0;
    for (const term of wanted) if (unit.terms.has(term)) sum += weight(term);
    return sum;
  };

  return {
    quote(claim) {
      const wanted = termsOf(claim);
      let best = 0;
      let bestScore = 0;
      for (const [index, unit] of units.entries()) {
        const length = 1 + unit.terms.size / 40; // among sentences that say the same, the shorter one
        const score = (shared(unit, wanted) / length) * (inMatched(unit) ? MATCHED_BONUS : 1);
        if (score > bestScore) [best, bestScore] = [index, score];
      }
      const unit = units[best];
      if (bestScore === 0 || !unit) return clipSpan(text, matched[0] ?? spans[0] ?? { start: 0, end: 0 });
      return clipSpan(text, joinNeighbours(best, unit, wanted));
    },
  };

  function joinNeighbours(best: number, unit: Unit, wanted: Set<string>): Span {
    const open = new Set([...wanted].filter((term) => !unit.terms.has(term)));
    const enough = shared(unit, wanted) * WORTH_JOINING;
    let span: Span = { start: unit.start, end: unit.end };
    for (const neighbour of [units[best - 1], units[best + 1]]) {
      if (!neighbour || shared(neighbour, open) < enough) continue;
      const joined = {
        start: Math.min(span.start, neighbour.start),
        end: Math.max(span.end, neighbour.end),
      };
      const contained = spans.some((sent) => sent.start <= joined.start && joined.end <= sent.end);
      if (contained && joined.end - joined.start <= LONGEST_QUOTE) span = joined;
    }
    return span;
  }
}

/** Sentences of the running text; rows, list items and lines of code as they stand. Headings are no evidence. */
function unitsOf(text: string, span: Span): Unit[] {
  const units: Unit[] = [];
  let paragraph: Span | null = null;
  const flush = (): void => {
    if (!paragraph) return;
    const { start, end } = paragraph;
    const starts = sentenceStarts(text, start, end);
    for (const [index, from] of starts.entries()) add(from, starts[index + 1] ?? end);
    paragraph = null;
  };
  const add = (from: number, to: number): void => {
    const trimmed = trim(text, from, to);
    const terms = termsOf(text.slice(trimmed.start, trimmed.end));
    if (terms.size > 0) units.push({ ...trimmed, terms });
  };
  for (let at = span.start; at < span.end; ) {
    const newline = text.indexOf('\n', at);
    const end = newline === -1 || newline >= span.end ? span.end : newline;
    const line = text.slice(at, end);
    if (line.trim() === '') flush();
    else if (HEADING.test(line) || isHeaderRow(text, line, end)) flush();
    else if (STRUCTURE.test(line)) {
      flush();
      paragraph = { start: at, end };
      if (/^\s*\|/.test(line)) flush();
    } else if (paragraph) paragraph.end = end;
    else paragraph = { start: at, end };
    at = end + 1;
  }
  flush();
  return units;
}

/** Names of columns are headings too: what is taken from a table stands in its rows. */
const isHeaderRow = (text: string, line: string, end: number): boolean =>
  TABLE_ROW.test(line) && TABLE_RULE.test(text.slice(end, end + LONGEST_RULE));

const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const STEM = 6;

/**
 * Words to compare sentences by, cut to their beginnings, so that inflections meet; pairs of characters where words are
 * not spaced. Cruder than the index's analysis and some fifty times faster: it runs on every sentence of a passage.
 */
function termsOf(text: string): Set<string> {
  const terms = new Set<string>();
  for (const [word] of text.toLowerCase().matchAll(WORD)) {
    if (!UNSPACED.test(word)) terms.add(word.slice(0, STEM));
    else for (let i = 0; i < Math.max(1, word.length - 1); i++) terms.add(word.slice(i, i + 2));
  }
  return terms;
}

function trim(text: string, from: number, to: number): Span {
  const piece = text.slice(from, to);
  const lead = LEAD.exec(piece)?.[0].length ?? 0;
  const start = from + lead + (piece.slice(lead).length - piece.slice(lead).trimStart().length);
  return { start, end: Math.max(start, from + piece.trimEnd().length) };
}

function clipSpan(text: string, span: Span): Span {
  const { start, end } = trim(text, span.start, span.end);
  if (end - start <= LONGEST_QUOTE) return { start, end };
  const piece = text.slice(start, start + LONGEST_QUOTE);
  const cut = Math.max(piece.lastIndexOf(' '), piece.lastIndexOf('\n'));
  if (cut > LONGEST_QUOTE / 2) return { start, end: start + piece.slice(0, cut).trimEnd().length };
  const splitsPair = /[\ud800-\udbff]$/.test(piece);
  return { start, end: start + LONGEST_QUOTE - (splitsPair ? 1 : 0) };
}
