import type { Database, QueryResult, Row } from '../src/db/database.ts';

/** Seconds of each part of an ingestion, and what is left: the upload itself, and the summary at the end. */
export interface StageSeconds {
  convert: number;
  chunk: number;
  store: number;
  embed: number;
  rest: number;
}

/** What happens to a file, as the pipeline records it. */
type Mark = 'converting' | 'chunking' | 'embedding' | 'storing' | 'searchable' | 'vectors';

function marksOf(sql: string, params: readonly unknown[] = []): Mark | undefined {
  if (/insert into leaf_vectors/.test(sql)) return 'vectors';
  if (!/^\s*update files set/.test(sql)) return undefined;
  if (/set searchable_version =/.test(sql)) return 'searchable';
  if (/status = 'in_progress', attempt/.test(sql)) return 'converting';
  return (['chunking', 'embedding', 'storing'] as const).find((stage) => params.includes(stage));
}

/** A database that notes when a file enters each stage. */
export function watchStages(db: Database) {
  let began = 0;
  const marks = new Map<Mark, number>();
  const noting =
    (query: Database['query'], ended: Set<Mark>) =>
    async <R = Row>(sql: string, params?: readonly unknown[]): Promise<QueryResult<R>> => {
      const mark = marksOf(sql, params);
      // what has begun is told at once; what is done, when it is committed
      if (mark === 'searchable' || mark === 'vectors') ended.add(mark);
      else if (mark !== undefined && !marks.has(mark)) marks.set(mark, performance.now());
      return query<R>(sql, params);
    };
  const watched: Database = {
    ...db,
    query: noting(db.query, new Set()),
    transaction: async (work, options) => {
      const ended = new Set<Mark>();
      const result = await db.transaction((tx) => work({ query: noting(tx.query, ended) }), options);
      for (const mark of ended) marks.set(mark, performance.now());
      return result;
    },
  };
  const at = (mark: Mark): number => marks.get(mark) ?? Number.NaN;
  const seconds = (from: Mark, to: Mark): number => Math.max(0, (at(to) - at(from)) / 1_000 || 0);
  return {
    db: watched,
    begin(): void {
      began = performance.now();
      marks.clear();
    },
    /** Of what happened since `begin`. */
    split(): StageSeconds {
      // a new version is embedded before it is stored, a first one afterwards
      const isEmbeddedFirst = at('embedding') < at('storing');
      const parts = {
        convert: seconds('converting', 'chunking'),
        chunk: seconds('chunking', isEmbeddedFirst ? 'embedding' : 'storing'),
        store: seconds('storing', 'searchable'),
        embed: isEmbeddedFirst ? seconds('embedding', 'storing') : seconds('searchable', 'vectors'),
      };
      const all = (performance.now() - began) / 1_000;
      return { ...parts, rest: all - parts.convert - parts.chunk - parts.embed - parts.store };
    },
  };
}
