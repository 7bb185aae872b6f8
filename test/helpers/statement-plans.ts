import { appendFile } from 'node:fs/promises';
import type { Database, Queryable } from '../../src/db/database.ts';
import { DatabaseError } from '../../src/errors.ts';

/** How a cluster answers a statement. */
export interface StatementPlan {
  /** On one line. */
  sql: string;
  /** Shards that each part of it is sent to; none: it is the coordinator's own. */
  tasks: number[];
  /** Results that are carried from one part to another by way of the nodes. */
  subplans: number;
  /** What it failed with. */
  failed?: string;
}

/** Where a statement was sent from: of the tests' own it does not matter. */
function isOfService(): boolean {
  const frames = (new Error().stack ?? '').split('\n').slice(1);
  const from = frames.find(
    (frame) =>
      /\/(src|test)\//.test(frame) &&
      !/statement-plans|bound-database|workspace-context|patience/.test(frame),
  );
  return from === undefined || /\/src\//.test(from);
}

const oneLine = (sql: string): string => sql.replace(/\s+/g, ' ').trim();
const EXPLAINED = /^(with|select|insert|update|delete)\b/i;

type PlanNode = { [key: string]: unknown };

/** All values of a member, wherever in a plan they stand. */
function* valuesOf(node: unknown, name: string): Generator<unknown> {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, value] of Object.entries(node as PlanNode)) {
    if (key === name) yield value;
    yield* valuesOf(value, name);
  }
}

const seen = new Set<string>();

/** The same database; of each statement that it is sent first, the plan is written to a file as a line of JSON. */
export function recordPlans(db: Database, explainOn: Queryable, file: string): Database {
  async function explain(
    sql: string,
    params: readonly unknown[] | undefined,
    failed?: string,
  ): Promise<void> {
    const line = oneLine(sql);
    const key = `${failed ?? ''} ${line}`;
    if (seen.has(key) || !EXPLAINED.test(line)) return;
    seen.add(key);
    const plan: StatementPlan = {
      sql: line,
      tasks: [],
      subplans: 0,
      ...(failed !== undefined && { failed }),
    };
    if (failed === undefined) {
      try {
        const { rows } = await explainOn.query<PlanNode>(`explain (format json, costs off) ${sql}`, params);
        plan.tasks = [...valuesOf(rows, 'Task Count')].map(Number);
        plan.subplans = [...valuesOf(rows, 'Subplans')].flat().length;
      } catch (error) {
        plan.failed = `explain: ${String(error)}`;
      }
    }
    await appendFile(file, `${JSON.stringify(plan)}\n`);
  }
  const recorded = (queryable: Queryable): Queryable => ({
    async query(sql, params) {
      if (!isOfService()) return queryable.query<never>(sql, params);
      try {
        const result = await queryable.query<never>(sql, params);
        await explain(sql, params);
        return result;
      } catch (error) {
        // not what failed since the database went away
        if (!(error instanceof DatabaseError)) await explain(sql, params, String(error));
        throw error;
      }
    },
  });
  return {
    ...db,
    ...recorded(db),
    transaction: (work, options) => db.transaction((tx) => work(recorded(tx)), options),
    snapshot: (work) => db.snapshot((view) => work(recorded(view))),
  };
}
