import type { Database, QueryResult, Row } from '../src/db/database.ts';

/** Seconds of each part of an ingestion, and what is left: the upload itself, and the summary at the end. */
export interface StageSeconds {
  convert: number;
  chunk: number;
  embed: number;
  store: number;
  rest: number;
}

const STAGES = ['converting', 'chunking', 'embedding', 'storing', 'summarizing'] as const;
type Stage = (typeof STAGES)[number];

function stageOf(sql: string, params: readonly unknown[] = []): Stage | undefined {
  if (!/^\s*update files set/.test(sql)) return undefined;
  const named = STAGES.find((stage) => params.includes(stage));
  return (
    named ?? STAGES.find((stage) => sql.includes(`'${stage}'`) && sql.includes("status = 'in_progress'"))
  );
}

/** A database that notes when a file enters each stage, as the pipeline records it. */
export function watchStages(db: Database) {
  let began = 0;
  const entered = new Map<Stage | 'stored', number>();
  const noting =
    (query: Database['query']) =>
    async <R = Row>(sql: string, params?: readonly unknown[]): Promise<QueryResult<R>> => {
      const stage = stageOf(sql, params);
      if (stage !== undefined && !entered.has(stage)) entered.set(stage, performance.now());
      return query<R>(sql, params);
    };
  const watched: Database = {
    ...db,
    query: noting(db.query),
    transaction: async (work) => {
      const result = await db.transaction((tx) => work({ query: noting(tx.query) }));
      if (entered.has('storing') && !entered.has('stored')) entered.set('stored', performance.now());
      return result;
    },
  };
  return {
    db: watched,
    begin(): void {
      began = performance.now();
      entered.clear();
    },
    /** Of what happened since `begin`. */
    split(): StageSeconds {
      const seconds = (from: Stage, to: Stage | 'stored') =>
        Math.max(0, ((entered.get(to) ?? 0) - (entered.get(from) ?? 0)) / 1000);
      const parts = {
        convert: seconds('converting', 'chunking'),
        chunk: seconds('chunking', 'embedding'),
        embed: seconds('embedding', 'storing'),
        store: seconds('storing', 'stored'),
      };
      const all = (performance.now() - began) / 1000;
      return { ...parts, rest: all - parts.convert - parts.chunk - parts.embed - parts.store };
    },
  };
}
