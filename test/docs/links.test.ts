import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, it } from 'vitest';

const pages = ['.', 'docs', 'docs/decisions', 'deploy/helm/forge']
  .flatMap((folder) => readdirSync(folder).map((name) => normalize(join(folder, name))))
  .filter((name) => name.endsWith('.md'));

/** The name that a heading is linked by. */
const anchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

const withoutCode = (page: string): string =>
  readFileSync(page, 'utf8').replaceAll(/^ *```.*?^ *```$/gms, '');
const anchorsOf = (page: string): string[] =>
  [...withoutCode(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchor(heading));

it.each(pages)('%s links to what there is', (page) => {
  const targets = [...withoutCode(page).matchAll(/\]\((?!https?:|mailto:)([^)\s]*)\)/g)].map(
    ([, target = '']) => target,
  );
  const broken = targets.filter((target) => {
    const [path = '', section] = target.split('#');
    const file = path === '' ? page : normalize(join(dirname(page), decodeURI(path)));
    if (!existsSync(file)) return true;
    return section !== undefined && file.endsWith('.md') && !anchorsOf(file).includes(section);
  });
  expect(broken).toEqual([]);
});
