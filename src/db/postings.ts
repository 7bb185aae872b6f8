import type { Scope } from '../scope.ts';
import { detectLanguage } from '../text/detect-language.ts';
import { countTerms, LEXICAL_BUILD, type Postings } from '../text/postings.ts';
import type { Queryable } from './database.ts';
import { OWNER, OWNER_IDS } from './owner.ts';

/** Rows per statement; a parameter of some megabytes at most. */
const ROWS_PER_INSERT = 10_000;

/**
 * Replaces a file's part of the lexical index, and records its length, language and build; with empty postings it is removed. What a
 * segment has of the file does not count any more.
 */
export async function writeLeafPostings(
  tx: Queryable,
  scope: Scope,
  fileId: string,
  postings: Postings,
): Promise<void> {
  const { workspaceId, projectId } = scope;
  await tx.query('delete from leaf_postings where workspace_id = $1 and project_id = $2 and file_id = $3', [
    workspaceId,
    projectId,
    fileId,
  ]);
  for (let from = 0; from < postings.terms.length; from += ROWS_PER_INSERT) {
    const to = from + ROWS_PER_INSERT;
    await tx.query(
      `insert into leaf_postings (workspace_id, project_id, term, file_id, leaf_count, packed)
       select ${OWNER_IDS}, t.term, $3, t.leaf_count, decode(t.packed, 'hex')
       from unnest($4::text[], $5::int[], $6::text[]) as t (term, leaf_count, packed), ${OWNER}`,
      [
        workspaceId,
        projectId,
        fileId,
        postings.terms.slice(from, to),
        postings.leafCounts.slice(from, to),
        postings.packed.slice(from, to),
      ],
    );
  }
  await tx.query(
    `update files set lexical_length = $4, lexical_build = $5, language = $6, lexical_revision = lexical_revision + 1, segment_id = null
     where workspace_id = $1 and project_id = $2 and file_id = $3`,
    [workspaceId, projectId, fileId, postings.totalLength, LEXICAL_BUILD, postings.language],
  );
}

/**
 * Replaces what the lexical index knows of a turn, and records its length, which makes the turn searchable by words,
 * language and build.
 *
 * @param text the message and the reply (`turnWords`)
 */
export async function writeTurnPostings(
  tx: Queryable,
  scope: Scope,
  turnNumber: number,
  text: string,
): Promise<void> {
  const language = detectLanguage([text]);
  const { frequencies, length } = countTerms({ leafIndex: 0, text, breadcrumb: '' }, language);
  const key = [scope.workspaceId, scope.projectId, turnNumber];
  await tx.query(
    'delete from turn_postings where workspace_id = $1 and project_id = $2 and turn_number = $3',
    key,
  );
  await tx.query(
    `insert into turn_postings (workspace_id, project_id, term, turn_number, frequency)
     select ${OWNER_IDS}, t.term, $3::int, t.frequency from unnest($4::text[], $5::int[]) as t (term, frequency), ${OWNER}`,
    [...key, [...frequencies.keys()], [...frequencies.values()]],
  );
  await tx.query(
    `update turns set lexical_length = $4, lexical_build = $5, language = $6
     where workspace_id = $1 and project_id = $2 and turn_number = $3`,
    [...key, length, LEXICAL_BUILD, language],
  );
}
