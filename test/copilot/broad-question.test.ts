import { describe, expect, it } from 'vitest';
import { isBroadQuestion } from '../../src/copilot/broad-question.ts';
import { decision, passage } from '../helpers/copilot.ts';

const of = (scores: number[], filename = 'a.md') =>
  scores.map((rank_score, at) => passage(`p${at}`, 'Text', { rank_score, filename }));

describe('isBroadQuestion', () => {
  it.each([
    'Summarise the report section by section.',
    'What does the report recommend?',
    'Give me an overview of the handbook',
    'Compare the two offers.',
    'What are the key findings?',
    'Fasse den Bericht bitte in fünf Sätzen zusammen.',
    'Was empfiehlt der Bericht?',
    'Fais un résumé du rapport.',
    'Que recommande le rapport ?',
    'Resume el informe.',
    'Riassumi il documento.',
    'Kun je het rapport samenvatten?',
    'Сравни эти предложения.',
    '请总结这份报告。',
    'この報告書を要約して',
  ])('sees that the whole is asked for: %s', (message) => {
    expect(isBroadQuestion(message, decision({ action: 'answer' }), [])).toBe(true);
  });

  it.each([
    'Who owns the budget?',
    'When does the steering committee meet?',
    'Wer gibt das Budget frei?',
    'Sales will not use it.',
    'That is all for today.',
    '预算由谁负责？',
  ])('leaves what one place answers alone: %s', (message) => {
    expect(isBroadQuestion(message, decision({ action: 'answer' }), of([0.9, 0.5, 0.4]))).toBe(false);
  });

  it('goes by the routing, and by many passages of one file that are alike', () => {
    expect(isBroadQuestion('Hm.', decision({ action: 'synthesise' }), [])).toBe(true);
    expect(isBroadQuestion('Hm.', decision(), of([0.5, 0.49, 0.48, 0.47, 0.46, 0.45]))).toBe(true);
    expect(isBroadQuestion('Hm.', null, of([0.9, 0.8, 0.7, 0.6, 0.5, 0.45]))).toBe(false);
  });
});
