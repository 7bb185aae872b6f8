import type { Queryable } from '../../src/db/database.ts';
import { writeTurnPostings } from '../../src/db/postings.ts';
import type { Scope } from '../../src/scope.ts';
import { turnWords } from '../../src/text/postings.ts';
import { storeTurn, storeTurnSummary } from './rows/turn.ts';

type TurnRow = NonNullable<Parameters<typeof storeTurn>[2]>;

/** A turn that has its words in the index, and a summary with a vector where it is told one. */
export interface IndexedTurn extends TurnRow {
  turnNumber: number;
  message: string;
  response: string;
  summary?: { text: string; vector: Float32Array };
}

/** Stores a turn as it is when it has ended and been indexed. */
export async function storeIndexedTurn(db: Queryable, scope: Scope, turn: IndexedTurn): Promise<void> {
  const { summary, ...row } = turn;
  const { turnNumber, message, response } = row;
  await storeTurn(db, scope, row);
  await writeTurnPostings(db, scope, turnNumber, turnWords({ message, response }));
  if (summary === undefined) return;
  await storeTurnSummary(db, scope, { turnNumber, summary: summary.text, vector: summary.vector });
}
