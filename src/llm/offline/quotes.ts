import type { AnswerFacts } from '../model.ts';
import { termsOf } from './words.ts';

type Passage = AnswerFacts['passages'][number];

/** A sentence, a list item or a table row, word for word as it stands in its passage. */
export interface Quote {
  passage: Passage;
  text: string;
}

const LONGEST_QUOTE = 360;
const SHORTEST_QUOTE = 12;
const LONGEST_PASSAGE = 20_000;
const HEADING = /^\s{0,3}#{1,6}\s/;
const RULE = /^[\s|:*_=-]*$/;
const ITEM = /^\s*(?:[-*+>]|\d{1,3}[.)])\s+/;
const ROW = /^\s*\|\s*/;
const ROW_END = /\s*\|\s*$/;
const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

/**
 * The sentences of the passages that have most of what a message is about, the rarer a word the more it counts; best
 * first, at most one a passage more than `perPassage`. Empty when no sentence has anything of it.
 */
export function bestQuotes(
  message: string,
  passages: readonly Passage[],
  options: { count: number; perPassage: number },
): Quote[] {
  const units = passages.flatMap((passage, rank) =>
    unitsOf(passage.text).map((text) => ({ passage, rank, text, terms: new Set(termsOf(text)) })),
  );
  const frequency = new Map<string, number>();
  for (const { terms } of units)
    for (const term of terms) frequency.set(term, (frequency.get(term) ?? 0) + 1);
  const wanted = new Set(termsOf(message));
  const scored = units
    .map((unit) => {
      let score = 0;
      for (const term of wanted) {
        if (unit.terms.has(term)) score += Math.log(1 + units.length / (frequency.get(term) ?? 1));
      }
      // long sentences have more words by chance; an earlier passage was found to be nearer
      return { ...unit, score: score / (1 + unit.terms.size / 40) / (1 + unit.rank / 8) };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
  const [top] = scored;
  const quotes: Quote[] = [];
  for (const { passage, text, score } of scored) {
    if (quotes.length >= options.count || score < (top?.score ?? 0) / 3) break;
    const same = quotes.filter((quote) => quote.passage === passage).length;
    if (same < options.perPassage && !quotes.some((quote) => quote.text === text))
      quotes.push({ passage, text });
  }
  return quotes;
}

/** The opening sentence of a passage: what it can be known by when nothing in it has the words of the message. */
export function openingQuote(passage: Passage): Quote | null {
  const [text] = unitsOf(passage.text);
  return text === undefined ? null : { passage, text };
}

/** Sentences within paragraphs, items and rows as they stand; each is a stretch of the text. No headings. */
function unitsOf(text: string): string[] {
  const units: string[] = [];
  let paragraph: string[] = [];
  const flush = (): void => {
    const whole = paragraph.join('\n');
    // the segmenter ends a sentence at a line's end, which in Markdown means nothing
    for (const { index, segment } of sentences.segment(whole.replaceAll('\n', ' '))) {
      addUnit(units, whole.slice(index, index + segment.length));
    }
    paragraph = [];
  };
  for (const line of text.slice(0, LONGEST_PASSAGE).split('\n')) {
    if (RULE.test(line)) {
      flush();
      // what stands above the rule of a table are names of columns
      if (line.includes('|')) units.pop();
    } else if (HEADING.test(line)) {
      flush();
    } else if (ROW.test(line)) {
      flush();
      addUnit(units, line.replace(ROW, '').replace(ROW_END, ''));
    } else if (ITEM.test(line)) {
      flush();
      paragraph = [line.replace(ITEM, '')];
    } else paragraph.push(line);
  }
  flush();
  return units;
}

function addUnit(units: string[], segment: string): void {
  const text = clip(segment.trim(), LONGEST_QUOTE);
  // a lead-in says nothing without the list that it leads to
  if (text.length >= SHORTEST_QUOTE && !/[:：]$/.test(text)) units.push(text);
}

/** The beginning of a text, cut between words and never inside a character. */
export function clip(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length);
  const space = cut.search(/\s\S*$/);
  return space > length / 2 ? cut.slice(0, space) : cut.replace(/[\ud800-\udbff]$/, '');
}
