import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/package-root.ts';
import { type CapturedCase, capturePrompts } from './capture.ts';
import { renderPrompts } from './render.ts';

export const PROMPTS_PAGE = join(packageRoot, 'docs', 'prompts.md');

/** The page as it has to be today. */
export async function promptsPage(): Promise<string> {
  const file = new URL('./before.json', import.meta.url);
  const before: CapturedCase[] = JSON.parse(readFileSync(file, 'utf8'));
  return renderPrompts(before, await capturePrompts());
}

/** Writes the page anew, and gives its table. */
export async function runPromptEval(): Promise<string> {
  const page = await promptsPage();
  writeFileSync(PROMPTS_PAGE, page);
  return page
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .join('\n');
}
