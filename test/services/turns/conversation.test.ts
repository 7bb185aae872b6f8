import { describe, expect, it } from 'vitest';
import type { AppError } from '../../../src/errors.ts';
import { parseConversation } from '../../../src/services/turns/conversation.ts';

const jsonl = (...messages: unknown[]) => messages.map((message) => JSON.stringify(message)).join('\n');
const user = (content: string, more = {}) => ({ role: 'user', content, ...more });
const assistant = (content: string, more = {}) => ({ role: 'assistant', content, ...more });

/** Pointer and words of each fault. */
function faultsOf(text: string): [string, string][] {
  try {
    parseConversation(text);
  } catch (error) {
    return ((error as AppError).errors ?? []).map(({ pointer, detail }) => [pointer, detail]);
  }
  return [];
}

describe('parseConversation', () => {
  it('makes a turn of each message with its reply', () => {
    const [asked, replied] = ['2025-01-02T10:00:00Z', '2025-01-02T10:00:09Z'];
    const text = jsonl(
      user('Hi', { created_at: asked }),
      assistant('Hello.', { created_at: replied }),
      user('Why?'),
    );
    expect(parseConversation(`${text}\n\n${jsonl(assistant('Because.'))}\r\n`)).toEqual([
      { message: 'Hi', response: 'Hello.', priming: false, createdAt: asked, completedAt: replied },
      { message: 'Why?', response: 'Because.', priming: false, createdAt: null, completedAt: null },
    ]);
  });

  it('makes an opening of a reply that comes first', () => {
    expect(parseConversation(jsonl(assistant('Welcome.')))).toEqual([
      { message: '', response: 'Welcome.', priming: true, createdAt: null, completedAt: null },
    ]);
  });

  it('names each line that is wrong', () => {
    const text = [
      '{"role":',
      JSON.stringify({ role: 'system', content: 'x' }),
      JSON.stringify(user('  ')),
      JSON.stringify(assistant('x', { created_at: 'yesterday' })),
      JSON.stringify(user('x'.repeat(32_001))),
      'null',
      JSON.stringify({ role: 'user', content: 'x', name: 'Ada' }),
    ].join('\n');
    expect(faultsOf(text)).toEqual([
      ['/1', expect.stringMatching(/^Line 1: is not JSON: column \d+: /)],
      ['/2/role', expect.stringMatching(/^Line 2: role: /)],
      ['/3/content', 'Line 3: content: is empty.'],
      ['/4/created_at', expect.stringMatching(/^Line 4: created_at: /)],
      ['/5/content', 'Line 5: content: has more than 32000 characters.'],
      ['/6', expect.stringMatching(/^Line 6: /)],
      ['/7/name', expect.stringMatching(/^Line 7: .*name/)],
    ]);
  });

  it('wants a reply to each message, and a message before each reply', () => {
    expect(faultsOf(jsonl(user('a'), user('b'), assistant('c'), assistant('d'), user('e')))).toEqual([
      ['/2/role', 'Line 2: role: the reply to the message before it was to come here.'],
      ['/4/role', 'Line 4: role: a message of the user was to come here.'],
      ['/5', 'Line 5: the message has no reply.'],
    ]);
    expect(faultsOf(' \n\n')).toEqual([['/1', 'Line 1: there is no message.']]);
  });

  it('takes a bounded number, and tells of a bounded number of faults', () => {
    const line = `${JSON.stringify(user('x'))}\n${JSON.stringify(assistant('y'))}\n`;
    expect(parseConversation(line.repeat(5_000))).toHaveLength(5_000);
    expect(faultsOf(line.repeat(5_001))).toEqual([
      ['/10001', 'Line 10001: there are more than 10000 messages.'],
    ]);
    expect(faultsOf('{\n'.repeat(9_000))).toHaveLength(20);
  });
});
