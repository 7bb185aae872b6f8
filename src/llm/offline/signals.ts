import { wordsOf } from './words.ts';

/** Something with phrases that speak for it. */
export interface Signalled {
  key: string;
  signals: readonly string[];
}

/**
 * How strongly a message speaks for each entry: a signal that occurs counts by its words, since a phrase says more than a
 * word. Entries without a signal in the message are left out; the strongest come first, equal ones in their order.
 */
export function rankBySignals<T extends Signalled>(message: string, entries: readonly T[]): T[] {
  const text = ` ${wordsOf(message.slice(0, 8_000)).join(' ')} `;
  return entries
    .map((entry) => ({ entry, score: scoreOf(text, entry.signals) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ entry }) => entry);
}

function scoreOf(text: string, signals: readonly string[]): number {
  let score = 0;
  for (const signal of signals) {
    const words = wordsOf(signal);
    if (words.length > 0 && occurs(text, words.join(' '))) score += words.length;
  }
  return score;
}

/** The phrase as whole words; its last one may have an `s` more. */
function occurs(text: string, phrase: string): boolean {
  return text.includes(` ${phrase} `) || text.includes(` ${phrase}s `);
}
