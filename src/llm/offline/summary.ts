import type { SummaryFacts, TextFacts } from '../model.ts';
import { clean } from './clean.ts';
import { clip } from './clip.ts';
import { condenseByRules } from './condense.ts';
import { isFurniture, linesOfText } from './furniture.ts';

const LONGEST = 300;
const READ = 8_000;
const NONE_REPEATED: ReadonlySet<string> = new Set();
const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

/** One or two sentences of what is summarised, 300 characters at most; of a conversation as much as it may have. */
export function summaryFromFacts(facts: SummaryFacts): string {
  if (facts.kind === 'conversation') return condenseByRules(facts);
  if (facts.kind === 'turn') return turnSummary(facts);
  const lines = linesOfText(facts.text.slice(0, READ))
    .filter((line) => !isFurniture(line, NONE_REPEATED))
    .map(clean)
    .filter((line) => line !== '');
  const [title = '', ...rest] = lines;
  const isTitle = title.length <= 100 && !/[.!?。]$/.test(title);
  if (!isTitle) return shorten(firstSentences(lines.join(' '), 2));
  const body = firstSentences(rest.filter((line) => !line.includes('|')).join(' '), 2);
  return shorten(body === '' ? `${title}.` : `${title}: ${body}`);
}

function turnSummary({ text, response = '' }: TextFacts): string {
  const said = firstSentences(clean(text.slice(0, READ)), 1);
  const replied = firstSentences(clean(response.slice(0, READ)), 1);
  const user = said === '' ? '' : `User: ${shorten(said, LONGEST / 2)}`;
  const copilot = replied === '' ? '' : `Copilot: ${shorten(replied, LONGEST / 2 - 20)}`;
  return [user, copilot].filter((part) => part !== '').join(' ');
}

function firstSentences(text: string, count: number): string {
  return [...sentences.segment(text)]
    .slice(0, count)
    .map(({ segment }) => segment.trim())
    .join(' ');
}

function shorten(text: string, length: number = LONGEST): string {
  return text.length <= length ? text : `${clip(text, length - 1)}…`;
}
