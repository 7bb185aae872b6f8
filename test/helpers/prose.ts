const WORDS = (
  'account answer budget campaign channel choice client cost customer decision delay design effect estimate figure ' +
  'forecast goal group growth idea impact interview launch lead limit market measure message method model month need ' +
  'number offer option order owner page partner pattern people plan point price problem process product project quarter ' +
  'question reason report result review risk sales sample scope segment service share signal source stage survey team ' +
  'term test theme trend trial user value version view week work'
).split(' ');

/** Sentences of words, the same for the same seed: `prose(1, 3)` has three sentences of eight words. */
export function prose(seed: number, sentences: number, words = 8): string {
  let state = (seed + 1) * 2_654_435_761;
  const word = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return WORDS[(state >>> 8) % WORDS.length] ?? '';
  };
  return Array.from({ length: sentences }, () => {
    const sentence = Array.from({ length: words }, word).join(' ');
    return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
  }).join(' ');
}

/** Paragraphs of such sentences, parted by blank lines. */
export function paragraphs(seed: number, count: number, sentences = 6): string {
  return Array.from({ length: count }, (_, i) => prose(seed * 1_000 + i, sentences)).join('\n\n');
}
