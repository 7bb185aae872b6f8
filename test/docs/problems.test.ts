import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { withProblems } from '../../scripts/problems.ts';
import { ERROR_CODES } from '../../src/errors.ts';

it('lists every problem in the guide as the service has it: npm run problems', async () => {
  const page = await readFile('docs/guides/errors.md', 'utf8');
  expect(page).toBe(await withProblems(page));
  for (const code of Object.keys(ERROR_CODES)) expect(page).toContain(`| \`${code}\` |`);
});
