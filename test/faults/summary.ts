import type { Row } from './table.ts';

/** One row for each kind of fault and database, over all suites: how often it was made, and what was harmed. */
export function summarise(rowsOf: ReadonlyMap<string, readonly Row[]>): Row[] {
  const groups = new Map<string, { suite: string; fault: string; database: string; rows: Row[] }>();
  for (const [suite, rows] of rowsOf) {
    for (const row of rows) {
      const [fault, database] = [String(row.fault ?? suite), String(row.database ?? '')];
      const key = [suite, fault, database].join('\n');
      const group = groups.get(key) ?? { suite, fault, database, rows: [] };
      group.rows.push(row);
      groups.set(key, group);
    }
  }
  return [...groups.values()].map(({ rows, ...names }) => {
    const skipped = rows.find((row) => row.skipped !== undefined)?.skipped;
    const harmed = (harm: string): number => rows.filter((row) => row.harm === harm).length;
    const failed = rows.filter((row) => row.failed !== '').length;
    return {
      ...names,
      runs: skipped === undefined ? rows.length : 0,
      lost: harmed('lost'),
      doubled: harmed('doubled'),
      stuck: harmed('stuck'),
      ...(skipped !== undefined && { skipped }),
      failed: failed === 0 ? '' : `${failed} of ${rows.length}`,
    };
  });
}
