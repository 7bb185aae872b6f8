import { describe, expect, it } from 'vitest';
import { stemEnglish } from '../../src/text/stem-english.ts';

describe('stemEnglish', () => {
  it.each([
    // the algorithm's own examples and exceptions
    ['consist', 'consist'],
    ['consistently', 'consist'],
    ['consisting', 'consist'],
    ['knightly', 'knight'],
    ['knots', 'knot'],
    ['skies', 'sky'],
    ['dying', 'die'],
    ['news', 'news'],
    ['proceeding', 'proceed'],
    ['herrings', 'herring'],
    ['generously', 'generous'],
    ['communication', 'communic'],
    // one for each step
    ['caresses', 'caress'],
    ['ties', 'tie'],
    ['cries', 'cri'],
    ['gas', 'gas'],
    ['gaps', 'gap'],
    ['agreed', 'agre'],
    ['luxuriated', 'luxuri'],
    ['hopping', 'hop'],
    ['hoping', 'hope'],
    ['happy', 'happi'],
    ['say', 'say'],
    ['relational', 'relat'],
    ['hopefulness', 'hope'],
    ['replacement', 'replac'],
    ['adoption', 'adopt'],
    ['rate', 'rate'],
    ['controll', 'control'],
    ['youth', 'youth'],
  ])('stems %s to %s', (word, stem) => {
    expect(stemEnglish(word)).toBe(stem);
  });

  it.each(['ab', 'naïve', 'x86', '', 'Queen'])(
    'leaves %j, which is no English word in lower case',
    (word) => {
      expect(stemEnglish(word)).toBe(word);
    },
  );
});
