import type { AnswerFacts, GenerateRequest, ToolCallPart } from '../model.ts';
import { inline } from './clip.ts';
import { coverageNote } from './coverage-note.ts';
import { type FileQuestion, fileQuestion } from './file-questions.ts';
import { unitsWithAll } from './quotes.ts';
import { withoutCourtesies } from './without-courtesies.ts';

const MOST_FILES = 50;
const MOST_HEADINGS = 30;
const LEVELS = 2;
const OUTLINE = 'document_outline';

export const NO_FILES =
  'There is no file in this project yet: what you upload can be searched and quoted here.';

/** The call that reads the headings of the file that a question is about, where it is about one. */
export function outlineCalls(facts: AnswerFacts, tools: GenerateRequest['tools'] = []): ToolCallPart[] {
  const question = facts.priming ? null : fileQuestion(withoutCourtesies(facts.message), facts.files);
  if (question?.about !== 'one' || !tools.some(({ name }) => name === OUTLINE)) return [];
  const input = { filename: question.filename, levels: LEVELS };
  return [{ type: 'tool_call', id: 'offline-1', name: OUTLINE, input }];
}

/**
 * The reply to a question about the files.
 *
 * @param outline what `document_outline` gave; null: it was not called
 */
export function fileAnswer(question: FileQuestion, facts: AnswerFacts, outline: string | null): string[] {
  if (facts.files.length === 0) return [NO_FILES];
  switch (question.about) {
    case 'all':
      return [listOf(facts.files)];
    case 'mentions':
      return [mentioning(question.topic, facts)];
    case 'one':
      return oneFile(question.filename, facts, outline);
  }
}

function listOf(files: AnswerFacts['files']): string {
  const shown = files.slice(0, MOST_FILES).map(fileLine);
  const more = files.length - shown.length;
  const count = files.length === 1 ? 'There is 1 file' : `There are ${files.length} files`;
  return `${count} in this project:\n${[...shown, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n')}`;
}

const fileLine = ({ filename, summary }: AnswerFacts['files'][number]): string =>
  `- ${inline(filename)}${summary === '' ? '' : `: ${inline(summary)}`}`;

function mentioning(topic: readonly string[], { passages, coverage }: AnswerFacts): string {
  const units = unitsWithAll(topic, passages);
  const files = [...new Set(units.map(({ passage }) => passage.filename))];
  const [first] = units;
  if (!first) return `No file says anything about it in the sections that I found${coverageNote(coverage)}.`;
  const lines = files.flatMap((filename) => {
    const unit = units.find(({ passage }) => passage.filename === filename);
    return unit ? [`- ${inline(filename)}: ${unit.shown} [${unit.passage.marker}]`] : [];
  });
  return `It is mentioned in ${files.length === 1 ? 'this file' : 'these files'}:\n${lines.join('\n')}`;
}

function oneFile(filename: string, { files }: AnswerFacts, outline: string | null): string[] {
  const summary = files.find((file) => file.filename === filename)?.summary ?? '';
  const about = summary === '' ? '' : ` ${inline(summary)}`;
  const read = outline === null ? null : readOutline(outline);
  if (!read) return [`${inline(filename)}:${about === '' ? ' I have no summary of it yet.' : about}`];
  const size = `${inline(filename)} has about ${read.tokens} tokens (some ${Math.round((read.tokens * 3) / 4 / 10) * 10} words)`;
  if (read.headings.length === 0) return [`${size} and no headings.${about}`];
  const shown = read.headings.slice(0, MOST_HEADINGS);
  const more = read.headings.length - shown.length;
  const list = [...shown, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n');
  return [`${size}.${about}`, `Its sections:\n${list}`];
}

/** The size and the headings that an outline lists, as a list of its own. */
function readOutline(outline: string): { tokens: number; headings: string[] } | null {
  const tokens = /, (\d+) tokens, \d+ headings\.$/m.exec(outline)?.[1];
  if (tokens === undefined) return null;
  const headings = [...outline.matchAll(/^( *)- (.*) \(\d+ tokens; \S+\)$/gm)];
  return {
    tokens: Number(tokens),
    headings: headings.map(([, indent = '', text = '']) => `${indent}- ${inline(text)}`),
  };
}
