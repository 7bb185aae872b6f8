import { describe, expect, it } from 'vitest';
import {
  asksBack,
  asksForQuestion,
  lastQuestions,
  saidBefore,
} from '../../../src/llm/offline/conversation.ts';

const turn = (turnNumber: number, message: string, response = '') => ({ turnNumber, message, response });
const recentTurns = [
  turn(4, 'The budget is 80 000 euros. Is that enough?'),
  turn(5, 'Correction: the budget is 65 000 euros.', 'Noted.\n\nOn People:\n1. Who decides?\n2. Who loses?'),
  turn(6, 'ok', 'You are welcome.'),
];
const recalledTurns = [turn(1, 'Our decision maker is Dana Reyes. She signs above 50 000.')];

describe('saidBefore', () => {
  it('finds what an earlier turn said, in the window and among recalled turns', () => {
    const found = saidBefore('Who did I say decides?', { recentTurns, recalledTurns });
    expect(found).toMatchObject({ turnNumber: 1, sentence: 'Our decision maker is Dana Reyes.' });
  });

  it('takes what was said last, and no question', () => {
    expect(saidBefore('What is our budget?', { recentTurns, recalledTurns })?.turnNumber).toBe(5);
    expect(saidBefore('Is the money enough?', { recentTurns, recalledTurns: [] })).toBeNull();
  });

  it('finds nothing where nothing was said on it', () => {
    expect(saidBefore('Where is the office?', { recentTurns, recalledTurns })).toBeNull();
  });
});

describe('questions about the conversation', () => {
  it.each([
    'Who did I say decides?',
    'what was our deadline again?',
    'Remind me, who decides',
    'Was habe ich dazu gesagt?',
  ])('are known: %s', (question) => {
    expect(asksBack(question)).toBe(true);
  });

  it('are told from others', () => {
    expect(asksBack('Who decides?')).toBe(false);
    expect(asksBack('What does the report say?')).toBe(false);
    expect(asksForQuestion('what did you ask me just now?')).toBe(true);
    expect(asksForQuestion('What did they ask of us?')).toBe(false);
  });

  it('get the latest questions that were put', () => {
    expect(lastQuestions({ recentTurns })).toEqual(['1. Who decides?', '2. Who loses?']);
    expect(lastQuestions({ recentTurns: [] })).toEqual([]);
  });
});
