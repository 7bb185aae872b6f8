import type { Scope } from '../scope.ts';
import type { TextLanguage } from '../text/languages.ts';
import type { Queryable } from './database.ts';
import type { LeafHit } from './leaf-hit.ts';
import type { ParentText } from './parents.ts';

/** A candidate leaf as the database knows it. */
export interface StoredLeaf {
  leaf_id: string;
  file_id: string;
  leaf_index: number;
  char_start: number;
  char_end: number;
  text: string;
  /** What a model wrote on it; it is searched, and never shown. */
  context: string | null;
  score: number;
}

/** A parent with those of its leaves that were candidates, best first. */
export interface StoredParent extends ParentText {
  /** Its file's. */
  language: TextLanguage;
  leaves: StoredLeaf[];
}

/**
 * The parents of the best candidates: each once, best leaf first, at most `limit`. A candidate of a version that was
 * replaced or deleted since it was ranked is left out: its position may be another leaf's by now. Contexts are looked up only in
 * files that have some.
 *
 * @returns the parents, and how many of the candidates were still there
 */
export async function readParents(
  db: Queryable,
  scope: Scope,
  candidates: readonly LeafHit[],
  limit: number,
): Promise<{ parents: StoredParent[]; current: number }> {
  const { rows } = await db.query<StoredParent & { current: number }>(
    `with candidate as materialized (
       select l.parent_id, l.leaf_id, l.file_id, l.leaf_index, l.char_start, l.char_end, l.text, c.score,
         case when f.context_leaves > 0 then (select k.context from leaf_contexts k where k.workspace_id = $1
           and k.project_id = $2 and k.file_id = l.file_id and k.content_hash = l.content_hash) end as context,
         f.name, f.media_type, f.searchable_version, f.language
       from unnest($3::text[], $4::int[], $5::int[], $6::float8[]) as c (file_id, version, leaf_index, score)
       join files f on f.workspace_id = $1 and f.project_id = $2 and f.file_id = c.file_id
         and f.searchable_version = c.version
       join document_leaves l on l.workspace_id = $1 and l.project_id = $2 and l.file_id = c.file_id
         and l.leaf_index = c.leaf_index
     ), parent as (
       select parent_id, max(score) as score, min(name) as name, min(media_type) as media_type,
         min(searchable_version) as version, min(language) as language, json_agg(json_build_object('leaf_id', leaf_id, 'file_id', file_id,
           'leaf_index', leaf_index, 'char_start', char_start, 'char_end', char_end, 'text', text,
           'context', context, 'score', score)
           order by score desc, leaf_index) as leaves
       from candidate group by parent_id order by max(score) desc, parent_id limit $7
     )
     select p.parent_id, p.text, p.breadcrumb, p.header_path, p.page, p.char_start, p.char_end, p.tokens,
       parent.name as filename, parent.media_type, parent.version, parent.language, parent.leaves,
       (select count(*)::int from candidate) as current
     from parent
     join document_parents p on p.workspace_id = $1 and p.project_id = $2 and p.parent_id = parent.parent_id
     order by parent.score desc, p.parent_id`,
    [
      scope.workspaceId,
      scope.projectId,
      candidates.map((hit) => hit.fileId),
      candidates.map((hit) => hit.version),
      candidates.map((hit) => hit.leafIndex),
      candidates.map((hit) => hit.score),
      limit,
    ],
  );
  return { parents: rows, current: rows[0]?.current ?? 0 };
}
