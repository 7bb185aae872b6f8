import { describe, expect, it } from 'vitest';
import { fileQuestion } from '../../../src/llm/offline/file-questions.ts';

const files = ['plan.md', 'staff-handbook.md', 'field-report.docx', 'spring-report.pdf'].map((filename) => ({
  filename,
  summary: '',
}));
const ask = (question: string) => fileQuestion(question, files);

describe('fileQuestion', () => {
  it.each([
    'which files do you have?',
    'Which documents are there?',
    'how many documents are in this project',
    'list all files',
    'Welche Dateien habe ich hochgeladen?',
    'Wie viele Dokumente gibt es?',
    'Have you read the travel policy?',
  ])('asks for the list: %s', (question) => {
    expect(ask(question)).toEqual({ about: 'all' });
  });

  it.each([
    ['what is in plan.md?', 'plan.md'],
    ["What's in the plan?", 'plan.md'],
    ['what is the handbook about?', 'staff-handbook.md'],
    ['How long is the field report?', 'field-report.docx'],
    ['Which sections does the handbook have?', 'staff-handbook.md'],
    ['Summarise spring-report.pdf for me', 'spring-report.pdf'],
    ['Was steht im Handbook?', 'staff-handbook.md'],
  ])('asks for a file: %s', (question, filename) => {
    expect(ask(question)).toEqual({ about: 'one', filename });
  });

  it('asks which of them speak of something', () => {
    expect(ask('Which file mentions Hamax?')).toEqual({ about: 'mentions', topic: ['hamax'] });
  });

  it.each([
    'What is in the handbook about overtime?',
    'What is the plan for June?',
    'How long is the notice period in the handbook?',
    'Summarise what we have so far',
    'What does the report recommend?',
    // two files could be meant
    'What is in the report?',
    'How many files did the migration lose?',
  ])('asks for what the files say: %s', (question) => {
    expect(ask(question)).toBeNull();
  });
});
