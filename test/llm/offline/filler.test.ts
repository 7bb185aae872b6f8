import { describe, expect, it } from 'vitest';
import { isFiller } from '../../../src/llm/offline/filler.ts';
import { LATIN_SET_PHRASES } from '../../../src/llm/offline/set-phrases-latin.ts';
import { SCRIPT_SET_PHRASES, UNSPACED_SET_PHRASES } from '../../../src/llm/offline/set-phrases-scripts.ts';

describe('isFiller', () => {
  it.each([
    'yes',
    'OK, sounds good.',
    'next question',
    'thanks!',
    'go on',
    'That makes sense to me, please go ahead with the next one.',
    'Shall we move on?',
    'What’s next?',
    'no, that is all',
    'Thank you for the quick explanation',
    'Ja, klingt gut – weiter',
    'Oui, d’accord. Question suivante ?',
    'Vale, sigamos con la siguiente',
    'Sì, andiamo avanti',
    'Sim, pode continuar',
    'Prima, volgende vraag',
    'Dobrze, dalej',
    'Хорошо, следующий вопрос',
    'はい、わかりました。次の質問をお願いします',
    '好的，我明白你的意思了',
    '네, 계속하세요',
    'ठीक है, अगला सवाल',
    'نعم، شكرا',
    'ok danke 👍',
  ])('takes an acknowledgement for one: %s', (message) => {
    expect(isFiller(message)).toBe(true);
  });

  it.each(
    [LATIN_SET_PHRASES, SCRIPT_SET_PHRASES, UNSPACED_SET_PHRASES].flatMap((languages) =>
      Object.entries(languages),
    ),
  )('knows the set phrases of conversation (%s)', (_, purposes) => {
    const phrases = Object.values(purposes).flatMap((all: string) => all.split('|'));
    expect(phrases.filter((phrase) => !isFiller(phrase))).toEqual([]);
  });

  it.each([
    'useful life of five years',
    'pas utile',
    'knapp',
    'good morning meeting',
    'one minute per order',
    'next topic: liability',
    'Guten Tag Apotheke',
    'je réfléchis à vendre',
    'por el momento no',
    '没有帮助',
    '明日',
    '次の契約',
    '오늘 오후',
    'कल',
  ])('does not take a word of substance for a set phrase: %s', (message) => {
    expect(isFiller(message)).toBe(false);
  });

  it.each([
    'yesss',
    'okkkk',
    'yes yes YES',
    'soudns good',
    'thnaks',
    'nxet quesiton please',
    'hahaha nice',
    '👍🏽👍🏽',
    ':)',
    '+1',
    '...',
    '',
  ])('forgives how it is typed: %s', (message) => {
    expect(isFiller(message)).toBe(true);
  });

  it.each([
    'yes, but legal has not agreed',
    'no, the budget is 40k',
    'what about the churn numbers?',
    'great, another delay',
    'ok so who decides?',
    'no good',
    'not good',
    'the first one',
    'yes, the team',
    'yes 3',
    'Legal',
    'why?',
    'Really?',
    'tell me more',
    'is it right?',
    'thanks for nothing',
    'I have a question, thanks',
    'please continue with the churn analysis',
    'ja, aber zu teuer',
    'oui mais non',
    'sí, pero no hay dinero',
    'да, но юристы против',
    'はい、でも予算がありません',
    '不同意',
    '好的，但是预算不够',
    '네, 하지만 예산이 없어요',
  ])('takes a message of substance for one: %s', (message) => {
    expect(isFiller(message)).toBe(false);
  });

  it('is quick on hostile input', () => {
    const started = performance.now();
    for (const text of [
      'ok '.repeat(50),
      '好'.repeat(160),
      'a'.repeat(100_000),
      'haha'.repeat(40),
      '!'.repeat(160),
    ]) {
      isFiller(text);
    }
    // a runaway expression would take minutes
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
