import { execFile } from 'node:child_process';
import { appendFileSync, cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/** What scripts/rooms.mjs says, which is plain JavaScript and has no types of its own. */
interface Architecture {
  rooms: { name: string; path: string; imports: string[] }[];
  packages: { names: string[] }[];
}

const home = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const { rooms, packages }: Architecture = await import(join(home, 'scripts/rooms.mjs'));
const FOLDERS = ['src', 'clients/typescript/src'];
const sources = FOLDERS.flatMap((folder) =>
  readdirSync(join(home, folder), { recursive: true }).map((name) => `${folder}/${String(name)}`),
)
  .filter((name) => name.endsWith('.ts'))
  .sort();

/** Two files of each room: one to be imported, and another that gets imports planted. */
const filesOf = new Map(
  rooms.map(({ name, path }) => {
    const own = sources.filter((source) => new RegExp(path).test(source));
    return [name, { target: own[0] ?? '', planted: own.at(-1) ?? '' }];
  }),
);
const vendors = packages.flatMap(({ names }) => names);
// a package is planted in a room that may not have any of them
const vendorFile = () => plantedOf('copilot');
const targetOf = (name: string) => filesOf.get(name)?.target ?? '';
const plantedOf = (name: string) => filesOf.get(name)?.planted ?? '';

interface Plant {
  from: string;
  to: string;
  file: string;
  target: string;
  line: string;
}

function plant(from: string, to: string, statement: 'import' | 'import type _ from'): Plant {
  const [file, target] = [plantedOf(from), targetOf(to)];
  const path = posix.relative(posix.dirname(file), target);
  const line = `${statement} '${path.startsWith('.') ? path : `./${path}`}';\n`;
  return { from, to, file, target, line };
}

const pairs = rooms
  .flatMap((from) => rooms.map((to) => ({ from, to })))
  .filter(({ from, to }) => from !== to);
const forbidden = pairs.filter(({ from, to }) => !from.imports.includes(to.name));
const imports = forbidden.map(({ from, to }) => plant(from.name, to.name, 'import'));

let copy = '';
let reported: string[] = [];

function check(root: string): Promise<string[]> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['scripts/check-architecture.mjs', root],
      { cwd: home, maxBuffer: 16 * 1024 * 1024 },
      (_, output) => resolve(output.split('\n')),
    );
  });
}

/** The source as it is, with every import planted that the table does not allow. */
beforeAll(async () => {
  copy = mkdtempSync(join(tmpdir(), 'forge-architecture-'));
  for (const name of [...FOLDERS, 'tsconfig.json', 'package.json']) {
    cpSync(join(home, name), join(copy, name), { recursive: true });
  }
  symlinkSync(join(home, 'node_modules'), join(copy, 'node_modules'));
  for (const { file, line } of imports) appendFileSync(join(copy, file), line);
  for (const name of vendors) appendFileSync(join(copy, vendorFile()), `import '${name}';\n`);
  reported = await check(copy);
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

describe('the check of the architecture', () => {
  test('the rooms are more than a few, and each has files', () => {
    expect(imports.length).toBeGreaterThan(100);
    for (const { name } of rooms) expect(targetOf(name), name).not.toBe('');
  });

  test.each(imports)('refuses $from -> $to', ({ file, target }) => {
    expect(reported).toContain(`not-in-allowed: ${file} -> ${target}`);
  });

  test.each(vendors)('refuses %s outside its place', (name) => {
    const start = `${name}-in-its-place: ${vendorFile()} -> `;
    expect(reported.filter((line) => line.startsWith(start))).toHaveLength(1);
  });

  test('refuses nothing of the code as it is', async () => {
    expect((await check(home)).filter((line) => line !== '')).toEqual([
      `${sources.length} modules of ${sources.length} looked at`,
      '0 violations',
    ]);
  });
});
