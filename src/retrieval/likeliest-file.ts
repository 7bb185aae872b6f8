import type { Passage } from './passage.ts';

/** The file of the passage that bears on the query most likely, however little; null: nothing was found. */
export function likeliestFile(passages: readonly Pick<Passage, 'filename' | 'score'>[]): string | null {
  const [first, ...others] = passages;
  if (!first) return null;
  return others.reduce((best, passage) => (passage.score > best.score ? passage : best), first).filename;
}
