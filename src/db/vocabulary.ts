import type { Scope } from '../scope.ts';
import type { Queryable } from './database.ts';

/** Which of some terms any leaf of a project has: a look into the index for each. */
export async function selectKnownTerms(
  db: Queryable,
  scope: Scope,
  terms: readonly string[],
): Promise<string[]> {
  const { rows } = await db.query<{ term: string }>(
    `select asked.term from unnest($3::text[]) as asked (term)
     where exists (select 1 from leaf_postings p
       where p.workspace_id = $1 and p.project_id = $2 and p.term = asked.term)`,
    [scope.workspaceId, scope.projectId, terms],
  );
  return rows.map(({ term }) => term);
}

/**
 * Terms of a project that begin alike, from one to the next in the index, so many at most: a term that a hundred thousand files have is
 * one look. Where the database sorts by another order than that of the letters some may be missing.
 */
export async function selectTermsFrom(
  db: Queryable,
  scope: Scope,
  beginning: string,
  most: number,
): Promise<string[]> {
  const { rows } = await db.query<{ term: string }>(
    `with recursive near as (
       (select min(term) as term, 1 as place from leaf_postings
        where workspace_id = $1 and project_id = $2 and term >= $3)
       union all
       select (select min(p.term) from leaf_postings p
         where p.workspace_id = $1 and p.project_id = $2 and p.term > near.term), place + 1
       from near where starts_with(near.term, $3) and place < $4::int
     )
     select term from near where starts_with(term, $3)`,
    [scope.workspaceId, scope.projectId, beginning, most],
  );
  return rows.map(({ term }) => term);
}
