import { check } from '../../checking/check.ts';
import { findJsonFault } from '../../checking/json-text.ts';
import { type ConversationMessage, conversationMessageSchema } from '../../contract/turns-import.ts';
import type { PastExchange } from '../../db/turn-import.ts';
import { AppError, type FieldError } from '../../errors.ts';

/** Messages of one import. */
const MOST_MESSAGES = 10_000;
/** Characters: of what a user says, as in a turn, and of a reply. */
const MOST_CHARACTERS = { user: 32_000, assistant: 200_000 };
/** Faults that are told of; nobody reads more. */
const MOST_FAULTS = 20;

type Numbered = ConversationMessage & { line: number };

const fault = (line: number, detail: string, code: string, member = ''): FieldError => ({
  pointer: `/${line}${member}`,
  detail: `Line ${line}: ${detail}.`,
  code,
});

/**
 * The turns of a conversation in JSON Lines: each message of the user with the reply to it. A reply may come first, where the
 * assistant opened the conversation. Empty lines are passed over.
 *
 * @throws AppError `invalid_request` with the number of each line that is wrong, from 1
 */
export function parseConversation(text: string): PastExchange[] {
  const faults: FieldError[] = [];
  const messages = readMessages(text, faults);
  if (faults.length === 0) checkOrder(messages, faults);
  if (faults.length > 0) throw invalid(faults);
  return exchangesOf(messages);
}

function invalid(faults: FieldError[]): AppError {
  const told = faults.slice(0, MOST_FAULTS);
  const more = faults.length > told.length ? ` And ${faults.length - told.length} more.` : '';
  return new AppError('invalid_request', {
    detail: `The conversation was not imported. ${told.map(({ detail }) => detail).join(' ')}${more}`,
    errors: told,
  });
}

function readMessages(text: string, faults: FieldError[]): Numbered[] {
  const messages: Numbered[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    if (messages.length >= MOST_MESSAGES) {
      faults.push(fault(index + 1, `there are more than ${MOST_MESSAGES} messages`, 'too_many'));
      break;
    }
    const message = readMessage(line, index + 1, faults);
    if (message) messages.push(message);
  }
  return messages;
}

function readMessage(text: string, line: number, faults: FieldError[]): Numbered | null {
  const value = parseJson(text);
  if (value === undefined) {
    const found = findJsonFault(text);
    const what = found === null ? 'is not JSON' : `is not JSON: column ${found.column}: ${found.what}`;
    faults.push(fault(line, what, 'invalid'));
    return null;
  }
  const checked = check(conversationMessageSchema, value);
  if (!checked.ok) {
    const [{ pointer, detail, code } = { pointer: '', detail: 'is not a message', code: 'invalid' }] =
      checked.errors;
    faults.push(fault(line, pointer === '' ? detail : `${pointer.slice(1)}: ${detail}`, code, pointer));
    return null;
  }
  const { role, content } = checked.value;
  const most = MOST_CHARACTERS[role];
  if (content.trim() === '') faults.push(fault(line, 'content: is empty', 'too_small', '/content'));
  if (content.length > most) {
    faults.push(fault(line, `content: has more than ${most} characters`, 'too_big', '/content'));
  }
  return { ...checked.value, line };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function checkOrder(messages: readonly Numbered[], faults: FieldError[]): void {
  if (messages.length === 0) faults.push(fault(1, 'there is no message', 'too_small'));
  for (const [index, { role, line }] of messages.entries()) {
    const before = messages[index - 1];
    if (before?.role !== role) continue;
    const expected = role === 'user' ? 'the reply to the message before it' : 'a message of the user';
    faults.push(fault(line, `role: ${expected} was to come here`, 'out_of_order', '/role'));
  }
  const last = messages.at(-1);
  if (last?.role === 'user') faults.push(fault(last.line, 'the message has no reply', 'out_of_order'));
}

function exchangesOf(messages: readonly Numbered[]): PastExchange[] {
  return messages.flatMap((reply, index) => {
    if (reply.role === 'user') return [];
    const asked = messages[index - 1];
    return {
      message: asked?.content ?? '',
      response: reply.content,
      priming: asked === undefined,
      createdAt: asked?.created_at ?? reply.created_at ?? null,
      completedAt: reply.created_at ?? null,
    };
  });
}
