import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';

/** The names that the settings are read by: nothing but `readConfig` looks into its environment. */
function settingNames(): string[] {
  const asked = new Set<string>();
  const environment = new Proxy<Record<string, string | undefined>>(
    {},
    {
      get: (_, name) => {
        asked.add(String(name));
        return undefined;
      },
    },
  );
  readConfig(environment);
  return [...asked].sort();
}

/** Lines of a file of variables. */
const lines = readFileSync('.env.example', 'utf8').split('\n');
const given = lines.flatMap((line): [string, string][] => {
  const [, name, value] = /^([A-Z][A-Z0-9_]*)=(.*)$/.exec(line) ?? [];
  return name === undefined ? [] : [[name, value ?? '']];
});
const isExplained = (name: string): boolean =>
  lines[lines.findIndex((line) => line.startsWith(`${name}=`)) - 1]?.startsWith('# ') === true;

it('the example has every setting once, with a word on it, and nothing else', () => {
  expect(given.map(([name]) => name).sort()).toEqual(settingNames());
  expect(lines.filter((line) => line !== '' && !line.startsWith('#'))).toHaveLength(given.length);
  expect(given.filter(([name]) => !isExplained(name))).toEqual([]);
});

it('the example changes nothing as it stands', () => {
  expect(readConfig(Object.fromEntries(given))).toEqual(readConfig({}));
});

it('the documentation lists every setting, and no other', () => {
  const rows = [...readFileSync('docs/settings.md', 'utf8').matchAll(/^\| (`[^|]*`) \|/gm)].flatMap(
    ([, names = '']) => [...names.matchAll(/`([A-Z0-9_]+)`/g)].map(([, name]) => name),
  );
  expect(rows.sort()).toEqual(settingNames());
});
