import type { AnswerFacts, Message, PastExchange, SystemBlock, TextPart } from '../llm/model.ts';
import { FIELD_TITLES } from '../state/field-titles.ts';
import { stateLines } from '../state/lines.ts';
import { filledFields } from '../state/skeleton.ts';
import type { Assembled, AssembleInput } from './assemble.ts';
import { exchangeOf } from './past-turn.ts';
import type { SectionName } from './sections/section.ts';

/*
 * How the sections become a request, without changing their order: a provider reads tools, then the system prompt, then
 * the messages. The system prompt is instructions and nothing else. On the user side the context block opens the first
 * message; the recent turns are the messages that they were; the last message has what was looked up for it, the state,
 * the routing decision, and at its end the user's message.
 *
 * Cache marks end three stretches, by how long they live: the core instructions (with the tools in front of them) hold
 * for a mode; up to the context block for some turns; the whole for this turn, where each round of tool calls sends it
 * again. The provider takes four marks: the fourth goes with the rounds (`respond.ts`). The window has none: it slides.
 */
const LAST_MESSAGE: readonly (readonly SectionName[])[] = [
  ['retrieved_documents'],
  ['retrieved_turns'],
  ['register', 'skeleton', 'routing_context'],
  ['routing_decision'],
  ['message'],
];

/** What of a request is the same for every round of a turn. */
export interface Prompt {
  system: SystemBlock[];
  messages: Message[];
  facts: AnswerFacts;
}

/** The assembled sections as a request to a model, and as the facts that the offline model reads. */
export function buildPrompt(assembled: Assembled, input: AssembleInput): Prompt {
  const textOf = (...names: SectionName[]): string =>
    names.map((name) => assembled.sections.find((section) => section.name === name)?.text ?? '').join('');
  const system = [
    { text: textOf('core_instructions'), cache: true },
    { text: textOf('probe', 'patterns') },
    { text: textOf('research_task') },
  ].filter(({ text }) => text !== '');
  const recent = assembled.sections.find(({ name }) => name === 'recent_turns')?.items ?? [];
  const last = LAST_MESSAGE.map((names) => textPart(textOf(...names))).filter(({ text }) => text !== '');
  const messages: Message[] = [
    ...recent.flatMap(({ form: { exchange } }): Message[] =>
      exchange
        ? [
            { role: 'user', content: [textPart(exchange.message)] },
            { role: 'assistant', content: [textPart(exchange.response)] },
          ]
        : [],
    ),
    { role: 'user', content: last.with(-1, textPart(textOf('message'), true)) },
  ];
  messages[0]?.content.unshift(textPart(textOf('context_block'), true));
  return { system, messages, facts: answerFacts(assembled, input) };
}

const textPart = (text: string, cache = false): TextPart => ({ type: 'text', text, ...(cache && { cache }) });

function answerFacts(assembled: Assembled, input: AssembleInput): AnswerFacts {
  const { knowledge, decision, state } = input;
  const has = (name: SectionName, id: string): boolean =>
    assembled.sections.some(
      (section) => section.name === name && section.items.some(({ item }) => item.id === id),
    );
  const probe = knowledge.probes[assembled.mode].find(({ key }) => has('probe', key));
  return {
    task: 'answer',
    message: input.message,
    priming: input.priming,
    action: decision?.action ?? 'answer',
    projectName: input.projectName,
    passages: assembled.passages.map(({ marker, passage, spans }) => ({
      marker,
      filename: passage.filename,
      headerPath: passage.header_path,
      score: passage.score,
      text: spans.map((span) => passage.text.slice(span.start, span.end)).join('\n\n'),
    })),
    coverage: input.coverage
      ? {
          considered: input.coverage.considered ?? 0,
          likeliestFile: input.coverage.likeliestFile ?? null,
        }
      : null,
    recalledTurns: assembled.recalled.map((turn) => pastExchange(turn.turn_number, turn)),
    recentTurns: input.recent.map((turn) => pastExchange(turn.turn_number, exchangeOf(turn))),
    probe: probe ? { title: probe.title, questions: probe.questions } : null,
    patterns: knowledge.patterns[assembled.mode]
      .filter(({ key }) => has('patterns', key))
      .map(({ title, questions }) => ({ title, questions })),
    stateLines: stateLines(state),
    skeleton: filledFields(state.skeleton).map(([field, { value, turn }]) => ({
      field,
      title: FIELD_TITLES[field],
      value,
      turnNumber: turn,
    })),
    assumptions: state.assumptions
      .filter(({ status }) => status !== 'invalidated')
      .map(({ statement }) => statement),
    files: state.file_summaries.map(({ filename, summary }) => ({ filename, summary })),
  };
}

const pastExchange = (
  turnNumber: number,
  { message, response }: { message: string; response: string },
): PastExchange => ({ turnNumber, message, response });
