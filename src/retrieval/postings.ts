import type { Queryable } from '../db/database.ts';
import type { Scope } from '../scope.ts';
import { analyseText, type KnownTerms } from './analyse.ts';
import { type Posting, packPostings } from './packed-postings.ts';

/**
 * A word of the context header counts this often: headings say what a leaf is about. Measured on questions over
 * documentation and abstracts: 2 is better than 1 by up to 2 points, 3 and 4 add nothing.
 */
const HEADER_WEIGHT = 2;
/** Rows per statement; a parameter of some megabytes at most. */
const ROWS_PER_INSERT = 10_000;

/** What is indexed of one leaf. */
export interface PostingsLeaf {
  leafIndex: number;
  text: string;
  /** `[Source: name > A > B]`. */
  breadcrumb: string;
}

/** A file's part of the lexical index, ready to be written: three columns of equal length. */
export interface Postings {
  terms: string[];
  leafCounts: number[];
  /** Hexadecimal of `packPostings`. */
  packed: string[];
  /** Sum of the leaves' lengths in terms: belongs into `files.lexical_length`. */
  totalLength: number;
}

function countTerms(
  leaf: PostingsLeaf,
  known: KnownTerms = new Map(),
): { frequencies: Map<string, number>; length: number } {
  const frequencies = new Map<string, number>();
  let length = 0;
  const add = (text: string, weight: number) => {
    for (const term of analyseText(text, known)) {
      frequencies.set(term, (frequencies.get(term) ?? 0) + weight);
      length += weight;
    }
  };
  add(leaf.text, 1);
  add(leaf.breadcrumb.replace(/^\[Source: /, ''), HEADER_WEIGHT);
  return { frequencies, length };
}

/** Analyses a file's leaves, given in any order, into its part of the lexical index. */
export function buildPostings(leaves: readonly PostingsLeaf[]): Postings {
  const byTerm = new Map<string, Posting[]>();
  const known: KnownTerms = new Map();
  let totalLength = 0;
  for (const leaf of [...leaves].sort((a, b) => a.leafIndex - b.leafIndex)) {
    const { frequencies, length } = countTerms(leaf, known);
    totalLength += length;
    for (const [term, frequency] of frequencies) {
      const postings = byTerm.get(term);
      const posting = { leafIndex: leaf.leafIndex, frequency, length };
      if (postings) postings.push(posting);
      else byTerm.set(term, [posting]);
    }
  }
  const terms = [...byTerm.keys()].sort();
  const lists = terms.map((term) => byTerm.get(term) ?? []);
  return {
    terms,
    leafCounts: lists.map((list) => list.length),
    packed: lists.map((list) => Buffer.from(packPostings(list)).toString('hex')),
    totalLength,
  };
}

/** Replaces a file's part of the lexical index; with empty postings it is removed. */
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
       select $1, $2, t.term, $3, t.leaf_count, decode(t.packed, 'hex')
       from unnest($4::text[], $5::int[], $6::text[]) as t (term, leaf_count, packed)`,
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
}

/**
 * Replaces what the lexical index knows of a turn.
 *
 * @param text the message and the reply
 * @returns length in terms: belongs into `turns.lexical_length`, which is what makes the turn searchable by words
 */
export async function writeTurnPostings(
  tx: Queryable,
  scope: Scope,
  turnNumber: number,
  text: string,
): Promise<number> {
  const { frequencies, length } = countTerms({ leafIndex: 0, text, breadcrumb: '' });
  const key = [scope.workspaceId, scope.projectId, turnNumber];
  await tx.query(
    'delete from turn_postings where workspace_id = $1 and project_id = $2 and turn_number = $3',
    key,
  );
  await tx.query(
    `insert into turn_postings (workspace_id, project_id, term, turn_number, frequency)
     select $1, $2, t.term, $3, t.frequency from unnest($4::text[], $5::int[]) as t (term, frequency)`,
    [...key, [...frequencies.keys()], [...frequencies.values()]],
  );
  return length;
}
