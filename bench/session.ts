import { type Random, seededRandom } from './search-corpus.ts';

/*
 * A made-up project with twenty documents and a conversation of thirty turns, the same in every run: what a product team
 * brings (research, interviews, plans, minutes, policies) in the lengths that such documents have.
 */

interface Subject {
  filename: string;
  title: string;
  owner: string;
  metric: string;
  system: string;
}

const subject = (
  filename: string,
  title: string,
  owner: string,
  metric: string,
  system: string,
): Subject => ({
  ...{ filename, title, owner, metric, system },
});

const SUBJECTS: readonly Subject[] = [
  subject('churn-study-q3.md', 'Churn study', 'Ines Keller', 'quarterly churn', 'the billing ledger'),
  subject(
    'interviews-enterprise.md',
    'Enterprise interviews',
    'Tom Okafor',
    'weeks of onboarding',
    'Salesforce',
  ),
  subject(
    'interviews-self-serve.md',
    'Self-serve interviews',
    'Tom Okafor',
    'days to first report',
    'the importer',
  ),
  subject('onboarding-funnel.md', 'Onboarding funnel', 'Lena Marsh', 'activation rate', 'Amplitude'),
  subject('budget-2026.md', 'Budget', 'Jonas Weidner', 'spend against plan', 'SAP'),
  subject('roadmap-draft.md', 'Roadmap draft', 'Priya Nair', 'committed milestones', 'Jira'),
  subject('architecture-notes.md', 'Architecture notes', 'Marek Dvorak', 'p95 latency', 'the event pipeline'),
  subject(
    'data-quality-audit.md',
    'Data quality audit',
    'Sofia Lind',
    'share of orphaned events',
    'Snowflake',
  ),
  subject('support-tickets.md', 'Support ticket review', 'Ahmed Saleh', 'tickets a week', 'Zendesk'),
  subject('pricing-experiment.md', 'Pricing experiment', 'Grace Liu', 'conversion to paid', 'Stripe'),
  subject('competitor-scan.md', 'Competitor scan', 'Grace Liu', 'win rate', 'the battle cards'),
  subject('stakeholder-map.md', 'Stakeholder map', 'Priya Nair', 'open objections', 'the decision log'),
  subject('privacy-review.md', 'Privacy review', 'Ute Brandt', 'open findings', 'the consent service'),
  subject(
    'works-council-minutes.md',
    'Works council minutes',
    'Ute Brandt',
    'agenda items',
    'the session recorder',
  ),
  subject('sales-playbook.md', 'Sales playbook', 'Carlos Mendes', 'length of the sales cycle', 'HubSpot'),
  subject(
    'partner-contracts.md',
    'Partner contracts',
    'Carlos Mendes',
    'renewal dates',
    'the contract archive',
  ),
  subject('survey-results.md', 'Customer survey', 'Ines Keller', 'satisfaction score', 'Typeform'),
  subject('incident-2041.md', 'Incident 2041', 'Marek Dvorak', 'minutes of outage', 'the job scheduler'),
  subject('localisation-plan.md', 'Localisation plan', 'Lena Marsh', 'translated screens', 'Lokalise'),
  subject(
    'board-paper-march.md',
    'Board paper',
    'Jonas Weidner',
    'net revenue retention',
    'the board portal',
  ),
];

const SEGMENTS = ['Enterprise', 'Mid-market', 'Self-serve', 'Public sector', 'Agencies'];
const HEADINGS = ['Summary', 'Background', 'Method', 'Findings', 'Open questions', 'Risks', 'Next steps'];

type Sentence = (s: Subject, segment: string, random: Random) => string;

const number = (random: Random, from: number, to: number): number =>
  Math.round(from + random() * (to - from));
const SENTENCES: readonly Sentence[] = [
  (s, segment, r) =>
    `In ${segment}, ${s.metric} moved from ${number(r, 2, 40)} to ${number(r, 2, 60)} within ${number(r, 2, 9)} months.`,
  (s, segment) => `${s.owner} holds that the ${segment} team has never agreed on how ${s.metric} is counted.`,
  (s, segment, r) =>
    `The figures come from ${s.system} and leave out ${number(r, 3, 30)} accounts of ${segment} that were migrated late.`,
  (s, segment, r) =>
    `Of ${number(r, 12, 90)} people asked in ${segment}, ${number(r, 3, 11)} named ${s.system} as the reason they hesitated.`,
  (s, segment, r) =>
    `Ticket ${s.title.slice(0, 3).toUpperCase()}-${number(r, 1_000, 9_999)} tracks the missing rows that ${segment} reported.`,
  (s, segment) =>
    `Nobody has checked whether ${s.metric} in ${segment} follows the season or the change of the contract terms.`,
  (s, segment, r) =>
    `The agreed date for ${segment} is ${number(r, 1, 28)} March, provided that ${s.system} is switched over before.`,
  (s, segment) =>
    `If ${s.owner} leaves the decision to the ${segment} leads, the work on ${s.system} starts one quarter later.`,
  (_s, segment, r) =>
    `A pilot with ${number(r, 2, 7)} customers of ${segment} cost ${number(r, 8, 95)},000 euros and was never evaluated.`,
  (s, segment) =>
    `For ${segment} the contract asks for an export from ${s.system} in a format that no one maintains any more.`,
];

const pick = <T>(random: Random, values: readonly T[], fallback: T): T =>
  values[Math.floor(random() * values.length)] ?? fallback;

function paragraph(s: Subject, segment: string, random: Random): string {
  const length = number(random, 4, 7);
  const sentences = Array.from({ length }, () =>
    pick<Sentence>(random, SENTENCES, () => s.title)(s, segment, random),
  );
  return sentences.join(' ');
}

function documentOf(s: Subject, random: Random): string {
  const sections = HEADINGS.flatMap((heading) => {
    const segments = heading === 'Findings' ? SEGMENTS : [pick(random, SEGMENTS, 'Enterprise')];
    return [
      `## ${heading}`,
      ...segments.flatMap((segment) => [
        ...(segments.length > 1 ? [`### ${segment}`] : []),
        ...Array.from({ length: number(random, 1, 3) }, () => paragraph(s, segment, random)),
      ]),
    ];
  });
  const rows = SEGMENTS.map(
    (segment) => `| ${segment} | ${number(random, 1, 99)} | ${number(random, 1, 99)} |`,
  );
  const table = [`| Segment | Q2 | Q3 |`, '| --- | --- | --- |', ...rows].join('\n');
  return `# ${s.title}\n\nOwner: ${s.owner}\n\n${sections.join('\n\n')}\n\n## Figures\n\n${table}\n`;
}

/** The documents by their names. */
export function sessionFiles(): Record<string, string> {
  const random = seededRandom(20);
  return Object.fromEntries(SUBJECTS.map((each) => [each.filename, documentOf(each, random)]));
}

/** What the user says, in order. */
export const SESSION_MESSAGES: readonly string[] = [
  'We want a dashboard that shows every team what its campaigns brought in. Where should we start?',
  'What does the churn study say about the quarterly churn of Enterprise customers?',
  'yes',
  'Who decides on the budget, and what does Jonas Weidner hold about spend against plan?',
  'sounds good',
  'The works council in Utrecht vetoed session replay on 14 May; that is written down nowhere.',
  'How long does onboarding take for Enterprise, according to the interviews?',
  'next question',
  'Nobody feels the problem is urgent, but the partner contracts run out in June.',
  'Which renewal dates do the partner contracts have?',
  'What did the pricing experiment show for Self-serve?',
  'ok',
  'Sales says that the numbers in HubSpot are right, finance says that SAP is. Who should we believe?',
  'What are the open findings of the privacy review?',
  'Our VP insists on the dashboard, although three pilots were never evaluated.',
  'thanks, go on',
  'How would we know that it worked? Net revenue retention is what the board looks at.',
  'What does the board paper say about net revenue retention in Mid-market?',
  'We cannot hire anyone, and the event pipeline must not be touched before April.',
  'What happened in incident 2041, and how many minutes of outage were there?',
  'got it',
  'How good is the evidence that satisfaction fell? The survey had few answers.',
  'What did the data quality audit find about orphaned events?',
  'Let us assume that the Agencies segment does not matter for the first release.',
  'continue',
  'Which tickets did support see most often in Public sector?',
  'What was it that the works council in Utrecht decided about session replay?',
  'Who might object to the dashboard? Look at the stakeholder map.',
  'great',
  'Please summarise where we stand: what is confirmed, what is assumed, what is open?',
];

/** What the copilot has learned after the turn of that number, as the state tools would have written it. */
export const SESSION_STATE: Readonly<Record<number, object>> = {
  1: { org_context: 'A 400-person analytics company in Utrecht and Berlin; product trios, quarterly board.' },
  4: { skeleton: { decision_maker: 'Jonas Weidner, CFO, up to the plan; above it the board.' } },
  9: {
    skeleton: { temporal_trigger: 'The partner contracts run out in June.' },
    assumptions: [
      {
        id: 'a1',
        statement: 'Teams would change campaigns if they saw what these bring in.',
        confidence: 'guessed',
        impact: 'high',
      },
      { id: 'a2', statement: 'HubSpot and SAP count the same deals.', confidence: 'guessed', impact: 'high' },
    ],
  },
  17: { skeleton: { success_metrics: 'Net revenue retention of Mid-market rises by two points in a year.' } },
  19: { skeleton: { constraints: 'No new staff; the event pipeline stays as it is until April.' } },
};
