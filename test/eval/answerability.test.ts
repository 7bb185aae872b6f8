import { describe, expect, it } from 'vitest';
import { halfOf } from '../../eval/answerability/item.ts';
import { labelErrors } from '../../eval/answerability/labels.ts';
import { readItems } from '../../eval/answerability/load.ts';
import { PROJECT_NAMES } from '../../eval/answerability/projects.ts';
import { OWN_PROJECTS, ownDocuments } from '../../eval/documents/own.ts';
import { quoteOccurs, termOccurs } from '../../eval/documents/text.ts';

const items = readItems();
const unanswerable = items.filter((item) => !item.answerable);
const count = <T>(list: readonly T[], of: (one: T) => boolean): number => list.filter(of).length;

describe('questions with and without an answer', () => {
  it('have ids, projects and questions of their own', () => {
    expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
    expect(new Set(items.map(({ project, question }) => `${project} ${question}`)).size).toBe(items.length);
    expect(items.filter(({ id, project }) => !id.startsWith(`${project}-`))).toEqual([]);
    expect(items.filter(({ project }) => !PROJECT_NAMES.includes(project))).toEqual([]);
  });

  it('are enough of both sorts, in both halves', () => {
    for (const half of ['tune', 'check'] as const) {
      const of = items.filter((item) => halfOf(item) === half);
      expect(count(of, ({ answerable }) => answerable)).toBeGreaterThan(80);
      expect(count(of, ({ answerable }) => !answerable)).toBeGreaterThan(80);
    }
    expect(count(items, ({ answerable }) => answerable)).toBeGreaterThanOrEqual(200);
    expect(unanswerable.length).toBeGreaterThanOrEqual(200);
  });

  it('are about a third near misses where there is no answer', () => {
    const share = count(unanswerable, ({ kind }) => kind === 'near_miss') / unanswerable.length;
    expect(share).toBeGreaterThan(0.28);
    expect(share).toBeLessThan(0.38);
  });

  it('say where else they are answered, when they belong to another project', () => {
    for (const item of unanswerable) {
      expect(item.elsewhere !== undefined, item.id).toBe(item.kind === 'other_project');
      if (item.elsewhere) expect(PROJECT_NAMES, item.id).toContain(item.elsewhere.project);
    }
  });

  it('copy nothing of documents that are not ours', () => {
    const own: readonly string[] = OWN_PROJECTS;
    const quoted = items.filter((item) => item.answerable && 'quote' in item.evidence);
    expect(quoted.filter(({ project }) => !own.includes(project))).toEqual([]);
  });

  it('agree with the documents of the repository', async () => {
    const projects = OWN_PROJECTS.map((name) => ({ name, documents: ownDocuments(name) }));
    expect(await labelErrors(projects, items)).toEqual([]);
  });
});

describe('comparing labels with texts', () => {
  it('finds a quote whatever table marks and line breaks there are', () => {
    expect(quoteOccurs('| Ghent | 148,000\n| **1,190** |', 'Ghent 148,000 1,190')).toBe(true);
    expect(quoteOccurs('A *pause*\ncosts 9 EUR.', 'A pause costs 9 EUR.')).toBe(true);
    expect(quoteOccurs('A pause costs 19 EUR.', 'A pause costs 9 EUR.')).toBe(false);
  });

  it('finds a term as whole words, in any case', () => {
    expect(termOccurs('The Tide is high.', 'tide')).toBe(true);
    expect(termOccurs('The tides are high.', 'tide')).toBe(false);
    expect(termOccurs('The tides are high.', 'tide*')).toBe(true);
    expect(termOccurs('see the\nwell known', 'the well')).toBe(true);
    expect(termOccurs('written in C++26', 'C++26')).toBe(true);
  });
});
