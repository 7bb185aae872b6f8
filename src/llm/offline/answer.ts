import type { AnswerFacts } from '../model.ts';
import { isFiller } from './filler.ts';
import { questionsToAsk } from './questions.ts';
import { bestQuotes, clip, openingQuote, type Quote } from './quotes.ts';
import { termsOf } from './words.ts';

const MOST_STATE_LINES = 12;
const MOST_FILES = 8;
const LONGEST_RECALL = 240;

/** A reply in Markdown, put together from what was found: quotes with their markers, what is known, what to ask next. */
export function answerFromFacts(facts: AnswerFacts): string {
  const parts = [...(facts.priming ? introduction(facts) : reply(facts)), ...nextQuestions(facts)];
  return parts.length > 0 ? parts.join('\n\n') : 'Noted. There is nothing left to ask here.';
}

function introduction({ projectName, filenames, stateLines }: AnswerFacts): string[] {
  const files =
    filenames.length === 0
      ? 'There is no file in it yet that I can read: what you upload can be searched and quoted here.'
      : `I can search and quote ${filenames.length === 1 ? 'its file' : `its ${filenames.length} files`}: ${fileList(filenames)}.`;
  const known =
    stateLines.length === 0
      ? 'Nothing is recorded about the problem yet, so let us begin there.'
      : `What is recorded so far:\n${bullets(stateLines)}`;
  return [
    `This is the copilot of the project "${projectName}". I ask what a product manager would ask, and keep what is confirmed.`,
    files,
    known,
  ];
}

function reply(facts: AnswerFacts): string[] {
  if (facts.action === 'synthesise') return [synthesis(facts), ...found(facts)];
  const opening = facts.action === 'switch_mode' ? ['We are now working in the other mode.'] : [];
  return [...opening, ...found(facts), ...recalled(facts)];
}

function synthesis({ stateLines }: AnswerFacts): string {
  return stateLines.length === 0
    ? 'Nothing has been confirmed or assumed so far.'
    : `This is where the project stands:\n${bullets(stateLines)}`;
}

/** What the passages say on the message, word for word. */
function found({ message, passages, action, filenames }: AnswerFacts): string[] {
  if (isFiller(message)) return [];
  const quotes = bestQuotes(message, passages, { count: action === 'answer' ? 3 : 2, perPassage: 2 });
  if (quotes.length > 0) return [`The files say on this:\n${quotes.map(quoteLine).join('\n')}`];
  const [nearest] = passages;
  const opening = nearest && action !== 'synthesise' ? openingQuote(nearest) : null;
  if (opening) return [`The nearest that the files have is this:\n${quoteLine(opening)}`];
  if (action !== 'answer') return ['Noted.'];
  return [
    filenames.length === 0
      ? 'There is no file yet that I can look this up in.'
      : 'I found nothing on this in the files.',
  ];
}

function quoteLine({ passage, text }: Quote): string {
  const place = [passage.filename, ...passage.headerPath].map(inline).join(' > ');
  return `- ${place}: “${text}” [${passage.marker}]`;
}

/** What the user said before on the same matter. */
function recalled({ message, recalledTurns }: AnswerFacts): string[] {
  const wanted = new Set(termsOf(message));
  const scored = recalledTurns
    .map((turn) => ({ turn, shared: termsOf(turn.message).filter((term) => wanted.has(term)).length }))
    .filter(({ shared }) => shared > 0)
    .sort((a, b) => b.shared - a.shared || b.turn.turnNumber - a.turn.turnNumber);
  const [best] = scored;
  if (!best) return [];
  return [`In turn ${best.turn.turnNumber} you said: “${clip(inline(best.turn.message), LONGEST_RECALL)}”`];
}

function nextQuestions(facts: AnswerFacts): string[] {
  const questions = questionsToAsk(facts);
  if (questions.length === 0) return [];
  const title = facts.probe?.title ?? facts.patterns[0]?.title;
  return [
    `${title === undefined ? 'Next' : `On ${title}`}:\n${questions.map((question, i) => `${i + 1}. ${question}`).join('\n')}`,
  ];
}

function bullets(lines: readonly string[]): string {
  const shown = lines.slice(0, MOST_STATE_LINES).map((line) => `- ${inline(line)}`);
  const more = lines.length - shown.length;
  return [...shown, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n');
}

function fileList(filenames: readonly string[]): string {
  const shown = filenames.slice(0, MOST_FILES).map(inline).join(', ');
  const more = filenames.length - MOST_FILES;
  return more > 0 ? `${shown} and ${more} more` : shown;
}

/** On one line, so that a name or a line of state cannot start a block of its own. */
function inline(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
