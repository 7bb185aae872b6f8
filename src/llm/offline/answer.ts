import { isForeignFunctionWord } from '../../text/function-words.ts';
import { isStopWord } from '../../text/stop-words.ts';
import type { AnswerFacts } from '../model.ts';
import { inline } from './clip.ts';
import { asksBack, asksForQuestion, lastQuestions, saidBefore, saidLine } from './conversation.ts';
import { asksWhoYouAre, courtesyIn, courtesyReply } from './courtesy-reply.ts';
import { coverageNote } from './coverage-note.ts';
import { fileAnswer, NO_FILES } from './file-answers.ts';
import { fileQuestion } from './file-questions.ts';
import { isFiller } from './filler.ts';
import { questionsToAsk } from './questions.ts';
import { bestQuotes, type Quote } from './quotes.ts';
import { recordedLine } from './recorded.ts';
import { withoutCourtesies } from './without-courtesies.ts';

/** What came of the calls that were made before the reply. */
export interface Called {
  /** What was recorded, a line each. */
  noted: string[];
  /** The outline of a file; null: none was asked for. */
  outline: string | null;
}

/** How much of a question something has that is shown only where there is no answer, as what comes nearest. */
const SOMEWHAT = 0.25;
const MOST_STATE_LINES = 12;
const MOST_FILES = 8;
const MOST_KEYWORDS = 6;

/** A reply in Markdown, put together from what was found: quotes with their markers, what is known, what to ask next. */
export function answerFromFacts(facts: AnswerFacts, called: Called = { noted: [], outline: null }): string {
  if (facts.priming) return [...introduction(facts), ...nextQuestions(facts)].join('\n\n');
  const courtesy = courtesyIn(facts.message);
  if (courtesy) {
    const { text, asks } = courtesyReply(courtesy, facts);
    return [text, ...(asks ? nextQuestions(facts) : [])].join('\n\n');
  }
  const parts = [...reply(facts, called), ...nextQuestions(facts)];
  return parts.length > 0 ? parts.join('\n\n') : 'Understood. There is nothing left to ask here.';
}

function introduction({ projectName, files, stateLines }: AnswerFacts): string[] {
  const names = files.map(({ filename }) => filename);
  const held =
    names.length === 0
      ? 'There is no file in it yet that I can read: what you upload can be searched and quoted here.'
      : `I can search and quote ${names.length === 1 ? 'its file' : `its ${names.length} files`}: ${fileList(names)}.`;
  const known =
    stateLines.length === 0
      ? 'Nothing is recorded about the problem yet, so let us begin there.'
      : `What is recorded so far:\n${bullets(stateLines)}`;
  return [
    `This is the copilot of the project "${inline(projectName)}". I ask what a product manager would ask, and keep what is confirmed.`,
    held,
    known,
  ];
}

/** Who answers here, for those who ask. */
const OFFLINE =
  'I am an offline model: rules that quote and record, and no language model. Ask me questions about the files, or state what you know ("Our decision maker is …", "We assume that …").';

function reply(facts: AnswerFacts, called: Called): string[] {
  if (isFiller(facts.message)) return [];
  const question = withoutCourtesies(facts.message);
  if (asksWhoYouAre(question)) return [OFFLINE, ...introduction(facts)];
  const ofFiles = fileQuestion(question, facts.files);
  if (ofFiles) return fileAnswer(ofFiles, facts, called.outline);
  const asked = asksForQuestion(question) ? lastQuestions(facts) : [];
  if (asked.length > 0) return [`I asked you:\n${asked.join('\n')}`];
  const noted = called.noted.length > 0 ? [`Noted:\n${bullets(called.noted)}`] : [];
  if (facts.action === 'synthesise') return [...noted, synthesis(facts)];
  const opening = facts.action === 'switch_mode' ? ['We are now working in the other mode.'] : [];
  return [
    ...opening,
    ...noted,
    ...(facts.action === 'answer' ? answer(question, facts) : remark(question, facts, noted)),
  ];
}

function synthesis({ stateLines, assumptions }: AnswerFacts): string {
  return stateLines.length === 0
    ? 'Nothing has been confirmed or assumed so far.'
    : `This is where the project stands:\n${bullets([...stateLines, ...assumptions.map((statement) => `Assumed: ${statement}`)])}`;
}

/** What is known on a question: from the conversation where it asks for that, else from the files and from both. */
function answer(question: string, facts: AnswerFacts): string[] {
  const said = saidBefore(question, facts);
  const recorded = recordedLine(question, facts);
  // what was quoted from its turn need not be told twice
  const isTold = said !== null && said.turnNumber === recorded?.turnNumber;
  const remembered = [...(said ? [saidLine(said)] : []), ...(recorded && !isTold ? [recorded.line] : [])];
  if (asksBack(question) && remembered.length > 0) return remembered;
  const quotes = bestQuotes(question, facts.passages, { count: 3, isQuestion: true });
  const parts = [...quoted(quotes), ...remembered];
  if (parts.length > 0) return parts;
  const near = saidBefore(question, facts, SOMEWHAT);
  return [silence(facts), ...(near ? [`What comes nearest to it: ${saidLine(near)}`] : [])];
}

/** What the files have on a statement, where they have nearly the same. */
function remark(statement: string, facts: AnswerFacts, noted: readonly string[]): string[] {
  const quotes = bestQuotes(statement, facts.passages, { count: 2, isQuestion: false });
  if (quotes.length > 0) return quoted(quotes);
  if (isKeywords(statement)) return [silence(facts)];
  return noted.length > 0 || facts.action !== 'probe'
    ? []
    : ['Understood: it stays with this conversation, where I can find it again.'];
}

/** A few words without any that would make a sentence of them: something to be looked up. */
const isKeywords = (message: string): boolean => {
  const words = message.match(/[\p{L}\p{N}]+/gu) ?? [];
  return (
    words.length <= MOST_KEYWORDS &&
    !words.some((word) => isStopWord(word.toLowerCase()) || isForeignFunctionWord(word))
  );
};

const quoted = (quotes: readonly Quote[]): string[] =>
  quotes.length > 0 ? [`The files say on this:\n${quotes.map(quoteLine).join('\n')}`] : [];

function quoteLine({ passage, shown }: Quote): string {
  return `- ${placeOf(passage)}: ${shown} [${passage.marker}]`;
}

const placeOf = ({ filename, headerPath }: AnswerFacts['passages'][number]): string =>
  [filename, ...headerPath].map(inline).join(' > ');

/** That nothing answers, how much was looked at, and where an answer is likeliest. */
function silence({ files, coverage, passages: [nearest] }: AnswerFacts): string {
  if (files.length === 0) return `I cannot look this up. ${NO_FILES}`;
  const likeliest = nearest
    ? ` The nearest section is ${placeOf(nearest)}.`
    : coverage?.likeliestFile
      ? ` If any of them does, it is likeliest ${inline(coverage.likeliestFile)}.`
      : '';
  return `The files do not say: I found nothing in them that answers this${coverageNote(coverage)}.${likeliest}`;
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
