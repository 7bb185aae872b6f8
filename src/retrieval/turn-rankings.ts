import type { Queryable } from '../db/database.ts';
import { toVectorText } from '../embeddings/vector-text.ts';
import type { Scope } from '../scope.ts';
import { analyseQuery } from './analyse.ts';
import { inverseDocumentFrequency, MAX_TERM_SHARE, termShare } from './bm25.ts';
import { addContext, MAX_CONTEXT_FACTOR } from './context-scores.ts';

/** Turns that a ranking gives at most. */
const DEPTH = 200;

/** A turn that one ranking found. */
export interface TurnHit {
  turnNumber: number;
  score: number;
}

interface PastTurns {
  numbers: number[];
  lengths: number[];
}

/** Best turns by similarity of their summaries, best first; scores are cosine similarities. */
export async function rankTurnsByVector(
  db: Queryable,
  scope: Scope,
  vector: Float32Array,
  before: number | null,
): Promise<TurnHit[]> {
  const { rows } = await db.query<{ turn_number: number; similarity: number }>(
    `select s.turn_number, 1 - (s.embedding <=> $3::vector) as similarity
     from turn_summaries s join turns t using (workspace_id, project_id, turn_number)
     where s.workspace_id = $1 and s.project_id = $2 and s.embedding is not null and t.status = 'completed'
       and ($4::int is null or s.turn_number < $4)
     order by (s.embedding <=> $3::vector) + 0, s.turn_number desc limit ${DEPTH}`,
    [scope.workspaceId, scope.projectId, toVectorText(vector), before],
  );
  return rows.map((row) => ({ turnNumber: row.turn_number, score: row.similarity }));
}

async function readPastTurns(db: Queryable, scope: Scope, before: number | null): Promise<PastTurns> {
  const { rows } = await db.query<PastTurns>(
    `select coalesce(array_agg(turn_number order by turn_number), '{}') as numbers,
       coalesce(array_agg(lexical_length order by turn_number), '{}') as lengths
     from turns where workspace_id = $1 and project_id = $2 and status = 'completed' and lexical_length is not null
       and ($3::int is null or turn_number < $3)`,
    [scope.workspaceId, scope.projectId, before],
  );
  return rows[0] ?? { numbers: [], lengths: [] };
}

/**
 * Best turns by BM25 over message and reply, with the context of the turns around them (`addContext`), best first; of
 * equals the newest.
 *
 * @returns the ranking, and the score that a turn full of every word of the query would come near to
 */
export async function rankTurnsByWords(
  db: Queryable,
  scope: Scope,
  query: { text: string; before: number | null },
): Promise<{ hits: TurnHit[]; ceiling: number }> {
  const terms = analyseQuery(query.text);
  if (terms.size === 0) return { hits: [], ceiling: 1 };
  const [past, postings] = await Promise.all([
    readPastTurns(db, scope, query.before),
    db.query<{ term: string; numbers: number[]; frequencies: number[] }>(
      `select term, array_agg(turn_number) as numbers, array_agg(frequency) as frequencies from turn_postings
       where workspace_id = $1 and project_id = $2 and term = any($3::text[]) and ($4::int is null or turn_number < $4)
       group by term`,
      [scope.workspaceId, scope.projectId, [...terms.keys()], query.before],
    ),
  ]);
  const { numbers, lengths } = past;
  const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(lengths.length, 1) || 1;
  const positions = new Map(numbers.map((turnNumber, position) => [turnNumber, position]));
  const own = new Float64Array(numbers.length);
  let attainable = 0;
  const found = new Map(postings.rows.map((row) => [row.term, row]));
  for (const [term, times] of terms) {
    const row = found.get(term);
    // as for leaves, a term that was not found counts as one that half of all have
    const weight =
      times *
      (row ? inverseDocumentFrequency(numbers.length, row.numbers.length) : inverseDocumentFrequency(2, 1));
    attainable += weight * MAX_TERM_SHARE * MAX_CONTEXT_FACTOR;
    row?.numbers.forEach((turnNumber, index) => {
      const position = positions.get(turnNumber);
      if (position === undefined) return;
      const ratio = (lengths[position] ?? average) / average;
      own[position] = (own[position] ?? 0) + weight * termShare(row.frequencies[index] ?? 0, ratio);
    });
  }
  const scores = addContext(own, 0);
  const hits = numbers.map((turnNumber, position) => ({ turnNumber, score: scores[position] ?? 0 }));
  return {
    hits: hits
      .filter((hit) => hit.score > 0)
      .sort((a, b) => b.score - a.score || b.turnNumber - a.turnNumber)
      .slice(0, DEPTH),
    ceiling: attainable || 1,
  };
}
