import { readFileSync } from 'node:fs';
import { digestOf, type Evidence, halfOf, type Item, itemSchema } from './item.ts';
import { type Project, readProjects } from './projects.ts';

/** The questions of one half or both, with the documents that they are asked of. */
export interface Answerability {
  projects: Project[];
  items: Item[];
  /** One sentence for each project that was left out, with its questions, since its documents are not there. */
  skipped: string[];
}

/** All labelled questions, whether or not their documents are there. */
export function readItems(): Item[] {
  return readFileSync(new URL('./items.jsonl', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => itemSchema.parse(JSON.parse(line)));
}

/**
 * The labelled questions that can be asked here, and the documents of their projects.
 *
 * @param half fit thresholds on `tune`, report on `check`; both when it is left out
 */
export function loadAnswerability(half?: 'tune' | 'check'): Answerability {
  const { projects, skipped } = readProjects();
  const present = new Set(projects.map(({ name }) => name));
  const items = readItems().filter(
    (item) => present.has(item.project) && (half === undefined || halfOf(item) === half),
  );
  return { projects, items, skipped };
}

/**
 * The words that answer, as they stand in the document.
 *
 * @param text of the evidence's document, as `documentText` reads it
 * @returns null when the document has changed since the label was made
 */
export function evidenceText(evidence: Evidence, text: string): string | null {
  if ('quote' in evidence) return evidence.quote;
  const stretch = text.slice(evidence.start, evidence.end);
  return digestOf(stretch) === evidence.digest ? stretch : null;
}
