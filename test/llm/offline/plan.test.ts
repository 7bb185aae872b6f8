import { describe, expect, it } from 'vitest';
import type { ResearchFacts, ResearchResult } from '../../../src/llm/model.ts';
import { planStep } from '../../../src/llm/offline/plan.ts';

const TOOLS = [
  'list_project_files',
  'document_outline',
  'read_pointer',
  'search_documents',
  'search_in_document',
  'summarize_document',
  'search_knowledge_base',
];
const facts = (question: string, rest: Partial<ResearchFacts> = {}): ResearchFacts => ({
  task: 'research',
  question,
  tools: TOOLS,
  files: [],
  stateLines: [],
  results: [],
  isLast: false,
  ...rest,
});
const result = (tool: string, input: object, rest: Partial<ResearchResult> = {}): ResearchResult => ({
  tool,
  input,
  isError: false,
  lines: [],
  passages: [],
  structured: null,
  ...rest,
});
const callsOf = (asked: ResearchFacts): unknown => {
  const step = planStep(asked);
  return 'calls' in step ? step.calls.map(({ name }) => name) : null;
};

describe('the first step', () => {
  it.each([
    ['lists the files where none is named', 'Why do customers leave?', 'list_project_files'],
    ['searches in a file that is named', 'What is the budget in plan.md?', 'search_in_document'],
    ['summarises one as a whole', 'Summarize plan.md', 'summarize_document'],
    ['goes to the outline for a section', 'What is in the section Costs of plan.md?', 'document_outline'],
    ['goes to the library', 'Which policies does the knowledge base have?', 'search_knowledge_base'],
  ])('%s', (_, question, tool) => {
    expect(callsOf(facts(question))).toEqual([tool]);
  });

  it('does without the outline tools where there are none', () => {
    const tools = TOOLS.filter((tool) => tool !== 'document_outline');
    expect(callsOf(facts('What is in the section Costs of plan.md?', { tools }))).toEqual([
      'search_in_document',
    ]);
  });

  it('takes the problem along where the question refers to it', () => {
    const step = planStep(
      facts('Using my problem statement, find policies in the knowledge base', {
        stateLines: ['Problem statement: commuters wait too long'],
      }),
    );
    expect(JSON.stringify(step)).toContain('commuters wait too long');
  });
});

it('answers at once when a tool has failed, and does not try again', () => {
  const failed = result(
    'search_in_document',
    { filename: 'x.md', query: 'q' },
    { isError: true, lines: ['Not done. There is no file "x.md" in this project.'] },
  );
  const step = planStep(facts('What does x.md say?', { results: [failed] }));
  expect(step).toMatchObject({
    answer: "I could not complete your request because 'x.md' was not found.",
    isWhole: true,
  });
});

it('says at the last step whether another would have followed', () => {
  const files = [{ filename: 'churn.md', status: 'completed', tokens: 10, summary: null }];
  const listed = result('list_project_files', {}, { structured: { files, artifacts: [] } });
  expect(planStep(facts('Why churn?', { results: [listed], isLast: true }))).toMatchObject({
    isWhole: false,
  });
  expect(callsOf(facts('Why churn?', { results: [listed] }))).toEqual(['search_in_document']);
});
