import { documentText, quoteOccurs, termOccurs } from '../documents/text.ts';
import type { Evidence, Item } from './item.ts';
import { evidenceText } from './load.ts';
import type { Project } from './projects.ts';

/**
 * What is wrong with the labels, a line each: evidence that does not stand where it should, terms that do occur although
 * the question has no answer. Items and evidence of projects that are not given are not looked at.
 */
export async function labelErrors(projects: readonly Project[], items: readonly Item[]): Promise<string[]> {
  const texts = new Map<string, Map<string, string>>();
  for (const { name, documents } of projects) {
    const read = await Promise.all(
      documents.map(async (document) => [document.name, await documentText(document)] as const),
    );
    texts.set(name, new Map(read));
  }
  return items.flatMap((item) => {
    const own = texts.get(item.project);
    if (!own) return [];
    if (item.answerable) return evidenceErrors(item.id, item.evidence, own);
    const elsewhere = item.elsewhere && texts.get(item.elsewhere.project);
    return [
      ...absenceErrors(item.id, item.absent, own),
      ...(item.elsewhere && elsewhere ? evidenceErrors(item.id, item.elsewhere.evidence, elsewhere) : []),
    ];
  });
}

function evidenceErrors(id: string, evidence: Evidence, texts: ReadonlyMap<string, string>): string[] {
  const text = texts.get(evidence.document);
  if (text === undefined) return [`${id}: there is no document ${evidence.document}`];
  const words = evidenceText(evidence, text);
  if (words === null) return [`${id}: ${evidence.document} has changed where the evidence stood`];
  return quoteOccurs(text, words) ? [] : [`${id}: "${words}" does not stand in ${evidence.document}`];
}

function absenceErrors(id: string, absent: readonly string[], texts: ReadonlyMap<string, string>): string[] {
  return [...texts].flatMap(([name, text]) =>
    absent
      .filter((term) => termOccurs(text, term))
      .map((term) => `${id}: "${term}" stands in ${name}, so the question may have an answer`),
  );
}
