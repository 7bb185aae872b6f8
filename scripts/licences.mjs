#!/usr/bin/env node
// The licences of what the service is shipped with, by the lock file: whether each is one that we accept, and the list of
// docs/licences.md, which `--write` makes anew. Plain Node.js, no dependency.
import { readFileSync, writeFileSync } from 'node:fs';

const LIST = 'docs/licences.md';

/** Ask for no more than that their text is kept, which the packages in the image do. */
const ACCEPTED = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'PSF-2.0',
  'Unlicense',
  'Zlib',
]);

/** What packages say in words that are no SPDX expression, and what their licence's text is. */
const CLARIFIED = { duck: { BSD: 'BSD-2-Clause' } };

/** Whether an expression as `(MIT AND Zlib)` or `MIT OR GPL-3.0-or-later` can be satisfied with accepted licences. */
function isAccepted(expression) {
  const plain = expression.replace(/^\((.*)\)$/, '$1');
  if (/[()]|\bWITH\b/.test(plain)) return false;
  return plain.split(' OR ').some((option) => option.split(' AND ').every((id) => ACCEPTED.has(id)));
}

function shippedPackages() {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  return Object.entries(packages).flatMap(([path, { dev, devOptional, license = 'none given' }]) => {
    if (path === '' || dev || devOptional) return [];
    const name = path.split('node_modules/').at(-1);
    return [{ name, licence: CLARIFIED[name]?.[license] ?? license }];
  });
}

function listOf(packages) {
  const byLicence = {};
  for (const { name, licence } of packages) {
    byLicence[licence] ??= new Set();
    byLicence[licence].add(name);
  }
  const rows = Object.keys(byLicence)
    .sort()
    .map((licence) => `| ${licence} | ${[...byLicence[licence]].sort().join(', ')} |`);
  return `# Licences of what Forge is shipped with

Made by \`npm run licences\` from the lock file; \`npm run check\` refuses a licence that is not accepted and a list that is not up to
date. The text of each is in its package. The image adds Node.js (MIT and others, in its own LICENSE) and, of Debian, the C and C++
libraries (LGPL-2.1-or-later; GPL-3.0-or-later with the runtime library exception), unchanged.

| licence | packages |
| --- | --- |
${rows.join('\n')}
`;
}

const packages = shippedPackages();
const refused = packages.filter(({ licence }) => !isAccepted(licence));
for (const { name, licence } of refused)
  console.error(`licences: ${name} is under "${licence}", which is not accepted`);
const list = listOf(packages);
if (process.argv.includes('--write')) writeFileSync(LIST, list);
else if (readFileSync(LIST, 'utf8') !== list) {
  console.error(`licences: ${LIST} is not up to date: npm run licences`);
  process.exitCode = 1;
}
if (refused.length > 0) process.exitCode = 1;
