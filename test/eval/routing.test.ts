import { describe, expect, it } from 'vitest';
import { halfOf, loadMessages } from '../../eval/routing/load.ts';
import { FILLER_KINDS, kindSchema } from '../../eval/routing/message.ts';

const messages = loadMessages();
const fillers = new Set<string>(FILLER_KINDS);

describe('messages to route', () => {
  it('are 400 or more, in 12 languages or more, and each stands once', () => {
    expect(messages.length).toBeGreaterThanOrEqual(400);
    expect(new Set(messages.map(({ language }) => language)).size).toBeGreaterThanOrEqual(12);
    expect(new Set(messages.map(({ id }) => id)).size).toBe(messages.length);
    expect(new Set(messages.map(({ message }) => message)).size).toBe(messages.length);
  });

  it('are labelled as their kind says', () => {
    for (const { id, kind, requires_retrieval } of messages) {
      expect(requires_retrieval, id).toBe(!fillers.has(kind));
    }
    expect(new Set(messages.map(({ kind }) => kind))).toEqual(new Set(kindSchema.options));
  });

  it('have an id of their language, and no blanks around the text', () => {
    for (const { id, language, message } of messages) {
      expect(id.startsWith(`${language}-`), id).toBe(true);
      expect(message.trim(), id).toBe(message);
    }
  });

  it('fall into two halves that each have fillers and substantive messages of every language', () => {
    const groups = new Map<string, Set<string>>();
    for (const message of messages) {
      const name = `${message.language} ${message.requires_retrieval}`;
      groups.set(name, (groups.get(name) ?? new Set()).add(halfOf(message)));
    }
    for (const [name, halves] of groups) expect(halves.size, name).toBe(2);
    const held = messages.filter((message) => halfOf(message) === 'held_out').length;
    expect(Math.abs(held / messages.length - 0.5)).toBeLessThan(0.1);
  });
});
