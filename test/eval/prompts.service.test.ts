import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { PROMPTS_PAGE, promptsPage } from '../../eval/prompts/run.ts';

it('docs/prompts.md shows what is sent today: `npm run eval -- prompts` writes it', async () => {
  expect(await promptsPage()).toBe(readFileSync(PROMPTS_PAGE, 'utf8'));
});
