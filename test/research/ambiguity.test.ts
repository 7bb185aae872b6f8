import { expect, it } from 'vitest';
import { ambiguousReference } from '../../src/research/ambiguity.ts';

const BRIEFS = ['policy_brief.md', 'budget_brief.md', 'roadmap.md'];
const REPORTS = ['Bericht Q3.docx', 'bericht-q4.docx', 'interview_notes.md', 'stakeholder-notes.md'];

const candidates = (question: string, files: readonly string[]) =>
  ambiguousReference(question, files)?.candidates.map(({ filename }) => filename) ?? null;

it.each([
  ['What does my brief say?', BRIEFS, ['policy_brief.md', 'budget_brief.md']],
  ['Summarise the brief, please.', BRIEFS, ['policy_brief.md', 'budget_brief.md']],
  ["What is our brief's main point?", BRIEFS, ['policy_brief.md', 'budget_brief.md']],
  ['Summarize my latest brief', BRIEFS, ['policy_brief.md', 'budget_brief.md']],
  ['Was steht in meinem Bericht?', REPORTS, ['Bericht Q3.docx', 'bericht-q4.docx']],
  ['Who is named in the notes?', REPORTS, ['interview_notes.md', 'stakeholder-notes.md']],
])('finds what several files fit: %s', (question, files, expected) => {
  expect(candidates(question, files)).toEqual(expected);
});

it.each([
  ['another word of the name tells which', 'What does my policy brief say?', BRIEFS],
  ['a file is named', 'What does my brief policy_brief.md say?', BRIEFS],
  ['a file is named in words', 'Compare my brief with the budget brief', BRIEFS],
  ['one file alone fits', 'What is on the roadmap?', BRIEFS],
  ['no file fits', 'What does my contract say?', BRIEFS],
  ['all are meant', 'Compare both my brief versions, and all the notes', REPORTS],
  ['the noun qualifies another', 'What is the brief template for?', BRIEFS],
  [
    'it is a thing and no document',
    'Why do our customers leave?',
    ['customers_2024.csv', 'customers_2025.csv'],
  ],
  ['it is a concept', 'What is our budget for travel?', ['budget_2024.md', 'budget_2025.md']],
  ['the phrase is of another thing', 'Using my problem brief, find policies', BRIEFS],
  ['there is no determiner', 'Write a brief on travel', BRIEFS],
  ['a file has just this name', 'What does the report say?', ['report.md', 'report_old.md'].slice(0, 1)],
])('asks nothing where %s', (_, question, files) => {
  expect(candidates(question, files)).toBeNull();
});

it('reads a long question without effort', () => {
  const question = 'my brief template '.repeat(500);
  expect(candidates(question, BRIEFS)).toBeNull();
});

it('reads a pasted text that mentions documents again and again, with many files that fit', () => {
  const files = Array.from({ length: 200 }, (_, index) => `brief-${index}-${'of a long name '.repeat(4)}.md`);
  const question = `${'What does the latest customer brief say, and who has written it? '.repeat(500)}It is brief-7.md.`;
  expect(candidates(question, files)).toBeNull();
  expect(candidates(`${question} What does my brief say?`, files)).toHaveLength(20);
});

it('tries so many phrases and no more', () => {
  const other = Array.from({ length: 50 }, (_, index) => `the topic${index} brief`).join('. ');
  expect(candidates(`my brief. ${other}`, BRIEFS)).toEqual(['policy_brief.md', 'budget_brief.md']);
  expect(candidates(`${other}. my brief`, BRIEFS)).toBeNull();
});
