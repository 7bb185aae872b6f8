import type { Assumption } from '../contract/state.ts';

// Sentence marks say nothing of the claim; a mark in front of a digit ("-5", "4.1") and signs like % do.
const MARKS = /(?![%‰&#@])\p{P}(?:(?![%‰&#@])\p{P})*(?!\p{N})/gu;
const INVISIBLE = /\p{Cf}/gu;

/** What a statement claims, however it is written: case, sentence marks, spaces and Unicode form do not count. */
export function claimOf(statement: string): string {
  const plain = statement.normalize('NFKC').replace(INVISIBLE, '').toLowerCase();
  const words = plain.replace(MARKS, ' ').replace(/\s+/g, ' ').trim();
  return words === '' ? plain.trim() : words;
}

/** The assumption that says the same already; `except` is the id of one that does not count. */
export function findTwin(
  assumptions: readonly Assumption[],
  statement: string,
  except?: string,
): Assumption | undefined {
  const claim = claimOf(statement);
  return assumptions.find(({ id, statement: other }) => id !== except && claimOf(other) === claim);
}
