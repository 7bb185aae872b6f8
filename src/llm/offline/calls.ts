import type { AnswerFacts, GenerateRequest, Message, ToolCallPart, ToolResultPart } from '../model.ts';
import type { Called } from './answer.ts';
import { outlineCalls } from './file-answers.ts';
import { recordingCalls } from './record.ts';

/** The calls to be made before the reply: none in the second round, none where calls are forbidden. */
export function callsFor(
  facts: AnswerFacts,
  { tools, toolChoice, messages }: Pick<GenerateRequest, 'tools' | 'toolChoice' | 'messages'>,
): ToolCallPart[] {
  if (toolChoice === 'none' || resultsIn(messages).length > 0) return [];
  const outline = outlineCalls(facts, tools);
  return outline.length > 0 ? outline : recordingCalls(facts, tools);
}

/** What came of the calls of the round before, as the messages have it. A refused call counts as not made. */
export function calledIn(messages: readonly Message[]): Called {
  const called: Called = { noted: [], outline: null };
  const results = new Map(resultsIn(messages).map((result) => [result.id, result]));
  for (const part of messages.flatMap(({ content }) => content)) {
    const result = part.type === 'tool_call' ? results.get(part.id) : undefined;
    if (part.type !== 'tool_call' || !result || result.isError) continue;
    if (part.name === 'document_outline') called.outline = result.content;
    else called.noted.push(notedLine(part));
  }
  return called;
}

const resultsIn = (messages: readonly Message[]): ToolResultPart[] =>
  messages.flatMap(({ content }) => content.filter((part) => part.type === 'tool_result'));

function notedLine({ name, input }: ToolCallPart): string {
  const { statement, field, value } = input as { statement?: string; field?: string; value?: string };
  if (name === 'register_assumption') return `Assumption: ${statement ?? ''}`;
  const title = (field ?? '').replaceAll('_', ' ');
  return `${title.charAt(0).toUpperCase()}${title.slice(1)}: ${value ?? ''}`;
}
