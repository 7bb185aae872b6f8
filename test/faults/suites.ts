import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { summarise } from './summary.ts';
import { formatTable, type Row, say } from './table.ts';

/** What a command tries, by name; each loads its own parts, and answers with a row for each thing that was tried. */
export type Suites = Record<string, () => Promise<() => Promise<Row[]>>>;

/**
 * Runs the suites that are named, or all; says what came of them, and keeps it in a folder.
 *
 * @returns exit code: 1 when something did not hold, 2 when there is no such suite
 */
export async function runSuites(suites: Suites, names: readonly string[], folder: string): Promise<number> {
  const unknown = names.filter((name) => !Object.hasOwn(suites, name));
  if (unknown.length > 0) {
    say(`There is no suite ${unknown.join(', ')}. There are: ${Object.keys(suites).join(', ')}`);
    return 2;
  }
  await mkdir(folder, { recursive: true });
  const all = new Map<string, Row[]>();
  for (const [name, load] of Object.entries(suites)) {
    if (names.length > 0 && !names.includes(name)) continue;
    say(`\n${name}`);
    const rows = await (await load())();
    all.set(name, rows);
    say(formatTable(rows));
    await writeFile(join(folder, `${name}.json`), `${JSON.stringify(rows, null, 2)}\n`);
  }
  const summary = summarise(all);
  say(`\n${formatTable(summary)}\n`);
  const failures = [...all.values()].flat().filter((row) => row.failed !== '');
  for (const { failed } of failures) say(`FAILED: ${failed}`);
  const skipped = summary.filter((row) => row.skipped !== undefined).length;
  const held = skipped === 0 ? 'all held' : `all held but ${skipped} skipped`;
  say(failures.length === 0 ? held : `${failures.length} failed`);
  return failures.length === 0 ? 0 : 1;
}
