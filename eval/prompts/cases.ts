import type { ROUTE } from '../../test/helpers/keyed-app.ts';
import { prose } from '../../test/helpers/prose.ts';

type Call = { name: string; input: unknown };

/** One turn of the conversation whose requests are shown. */
export interface PromptCase {
  id: string;
  title: string;
  message: string;
  route: Partial<typeof ROUTE>;
  /** What the large model replies, round by round. */
  rounds: { text?: string; toolCalls?: Call[] }[];
}

const CHAPTERS = [
  ['Purpose and method', 'How the data was gathered'],
  ['Acquisition channels', 'Paid search', 'Referrals'],
  ['Onboarding', 'Enterprise', 'Self-serve'],
  ['Pricing', 'Discounts'],
  ['Support', 'Response times', 'Escalations'],
  ['Churn', 'Enterprise', 'Mid-market'],
  ['Recommendations', 'This quarter', 'Next year'],
];

/** A report of seven chapters, some 5,000 tokens: far more than a search for one message brings. */
const fieldReport = (): string =>
  [
    '# Field report',
    ...CHAPTERS.flatMap(([chapter = '', ...sections], at) => [
      `## ${chapter}`,
      prose(at, 14, 11),
      ...sections.flatMap((section, index) => [`### ${section}`, prose(100 + at * 10 + index, 22, 11)]),
    ]),
    'Enterprise customers churn at 4.1 percent a quarter because onboarding takes eleven weeks. The report recommends a named success manager for every account above 50 seats.',
  ].join('\n\n');

const BUDGET = `# Budget

Marta Ruiz owns the budget up to 250 k EUR. Ticket FORGE-417 tracks its approval.

# Timeline

The steering committee meets on 14 May. The pilot starts in June in Lisbon.
`;

export const DOCUMENTS = { 'budget.md': BUDGET, 'field-report.md': fieldReport() };

const register = (statement: string): Call => ({
  name: 'register_assumption',
  input: { statement, confidence: 'informed', impact: 'high' },
});

/** The turns in their order: each starts from what the ones before have left. */
export const CASES: readonly PromptCase[] = [
  {
    id: 'first',
    title: 'The first message',
    message: 'We lose enterprise customers and want to know why. Where do we begin?',
    route: {},
    rounds: [{ text: 'Who sees these customers before they leave?' }],
  },
  {
    id: 'retrieval',
    title: 'A question that the files answer',
    message: 'Who owns the budget, and up to what amount?',
    route: { action: 'answer', relevant_files: ['budget.md'] },
    rounds: [{ text: 'Marta Ruiz owns the budget up to 250 k EUR [1].' }],
  },
  {
    id: 'filler',
    title: 'An acknowledgement',
    message: 'Sounds good.',
    route: { requires_retrieval: false },
    rounds: [{ text: 'Then: who signs the renewals?' }],
  },
  {
    id: 'rounds',
    title: 'Three rounds of tool calls',
    message: 'Sales signs the renewals, and onboarding takes eleven weeks. Write that down.',
    route: {},
    rounds: [
      { toolCalls: [register('Sales signs the renewals.')] },
      { toolCalls: [register('Onboarding takes eleven weeks.')] },
      {
        toolCalls: [
          {
            name: 'update_skeleton',
            input: { field: 'problem_statement', value: 'Enterprise customers leave.' },
          },
        ],
      },
      { text: 'Both are in the register. Who measured the eleven weeks?' },
    ],
  },
  {
    id: 'broad',
    title: 'A question about a whole document',
    message: 'Summarise the field report section by section.',
    route: { action: 'synthesise', relevant_files: ['field-report.md'] },
    rounds: [{ text: 'The report has seven chapters [1].' }],
  },
  {
    id: 'long',
    title: 'A long message late in a long conversation',
    message: `Here is what the interviews brought. ${prose(77, 150, 12)} What does that change?`,
    route: {},
    rounds: [{ text: 'It changes the order: onboarding comes first.' }],
  },
];

/** Turns before the last case, so that exchanges have left the window and are found by search. */
export const BEFORE_LONG = [
  'The interviews were held in Lisbon and Porto by Priya.',
  'Onboarding is run by a team of three, and the interviews say it is too few.',
  'The renewal dates are in the spreadsheet of Sales.',
  'Next question.',
];
