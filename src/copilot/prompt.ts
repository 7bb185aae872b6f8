import type { AnswerFacts, Message, SystemBlock, TextPart } from '../llm/model.ts';
import { stateLines } from '../state/lines.ts';
import type { Assembled, AssembleInput } from './assemble.ts';
import type { SectionName } from './sections/section.ts';

/*
 * How the sections become a request, without changing their order: a provider reads tools, then the system prompt, then
 * the messages. Everything up to the routing context is system prompt; the recent turns are the user and assistant
 * messages that they were; the routing decision and the message are two parts of the last user message, so that the
 * message itself needs no tags around it and cannot forge any.
 *
 * Cache marks end three stretches, by how long they live: the core instructions (with the tools in front of them) hold
 * for a mode; probe, patterns and context block for some turns; the rest for this turn, where each round of tool calls
 * sends it again.
 */
const STRETCHES: readonly (readonly SectionName[])[] = [
  ['core_instructions'],
  ['probe', 'patterns', 'context_block'],
  ['retrieved_documents', 'retrieved_turns', 'register', 'skeleton', 'routing_context'],
];

/** What of a request is the same for every round of a turn. */
export interface Prompt {
  system: SystemBlock[];
  messages: Message[];
  facts: AnswerFacts;
}

/** The assembled sections as a request to a model, and as the facts that the offline model reads. */
export function buildPrompt(assembled: Assembled, input: AssembleInput): Prompt {
  const textOf = (name: SectionName): string =>
    assembled.sections.find((section) => section.name === name)?.text ?? '';
  const system = STRETCHES.map((names) => names.map(textOf).join(''))
    .filter((text) => text !== '')
    .map((text) => ({ text, cache: true }));
  const recent = assembled.sections.find(({ name }) => name === 'recent_turns')?.items ?? [];
  const messages = recent.flatMap(({ form: { exchange } }): Message[] =>
    exchange
      ? [
          { role: 'user', content: [text(exchange.message)] },
          { role: 'assistant', content: [text(exchange.response)] },
        ]
      : [],
  );
  const decision = textOf('routing_decision');
  messages.push({
    role: 'user',
    content: [...(decision === '' ? [] : [text(decision)]), text(textOf('message'))],
  });
  return { system, messages, facts: answerFacts(assembled, input) };
}

const text = (content: string): TextPart => ({ type: 'text', text: content });

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
      text: spans.map((span) => passage.text.slice(span.start, span.end)).join('\n\n'),
    })),
    recalledTurns: assembled.recalled.map(({ turn_number: turnNumber, message, response }) => ({
      turnNumber,
      message,
      response,
    })),
    probe: probe ? { title: probe.title, questions: probe.questions } : null,
    patterns: knowledge.patterns[assembled.mode]
      .filter(({ key }) => has('patterns', key))
      .map(({ title, questions }) => ({ title, questions })),
    stateLines: stateLines(state),
    filenames: state.file_summaries.map((file) => file.filename),
  };
}
