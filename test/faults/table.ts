/**
 * What was tried and what came of it; `failed` says what did not hold, and is empty when all did. `skipped` says why
 * nothing was tried.
 */
export interface Row extends Record<string, string | number> {
  failed: string;
}

const HIDDEN = ['failed', 'skipped', 'harm'];

/** What became of data that was acknowledged: a problem begins with it. */
const HARM = /^(lost|doubled|stuck): /;

/** The harm that a problem tells of; empty where it is of another kind, or there is none. */
export const harmOf = (problem: string): string => HARM.exec(problem)?.[1] ?? '';

const verdictOf = (row: Row): string =>
  row.skipped !== undefined ? `SKIPPED: ${row.skipped}` : row.failed === '' ? 'held' : 'FAILED';

/** The rows as text, a column for each member but `failed` and `skipped`, which become a verdict. */
export function formatTable(rows: readonly Row[]): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter(
    (name) => !HIDDEN.includes(name),
  );
  const lines = [
    [...names, 'verdict'],
    ...rows.map((row) => [...names.map((name) => String(row[name] ?? '')), verdictOf(row)]),
  ];
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths?.[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

export const say = (text: string): void => void process.stdout.write(`${text}\n`);
