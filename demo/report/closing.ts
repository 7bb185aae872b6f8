import { type Block, bullets, h1, h2, h3, p, steps, table } from './blocks.ts';

export const closing: Block[] = [
  h1('Recommendations'),
  h2('Decisions Wanted by 28 November 2025'),
  steps(
    'Report return on gross margin, at 90 days and at twelve months, next to each other; owner of the definition: Finance.',
    'Cancel the syndication contract with Leadmere before 30 November.',
    {
      text: 'Move 420,000 EUR in the first half of 2026:',
      items: [
        '310,000 EUR out of paid social and 110,000 EUR out of content syndication',
        '200,000 EUR into partner webinars, with at least two new partners',
        '140,000 EUR into the repair of ANL-2291 and PLAT-640',
        '80,000 EUR into a second geo holdout, ten weeks long',
      ],
    },
    'Do not build the "ROI dashboard for everyone" before the definition is decided. Build one page for the Growth Council first.',
  ),
  h2('Roadmap'),
  h3('First Thirty Days'),
  bullets(
    "Tomasz Zielinski's team repairs the single sign-on redirect (ANL-2291) behind a feature flag and verifies it on three Enterprise tenants.",
    'Sales Operations makes the campaign field mandatory from stage 2 on, not from stage 1 (CRM-1187), as agreed with the regional leads.',
    'Finance publishes the definition of return, with a worked example, on the internal wiki.',
    'Customer Success calls every Enterprise account whose first dashboard took more than 45 days: 31 accounts.',
  ),
  h3('First Half of 2026'),
  bullets(
    'Two new webinar partners signed by February; six webinars with a live customer by June.',
    'SCIM with nested groups (PLAT-640) generally available on 31 March 2026.',
    'Second geo holdout, on paid search, in DACH and the Netherlands, from 2 March to 10 May.',
    'Renewal of the data protection assessment DPIA-37 before 31 March 2026; an owner is still to be named.',
    "Review of this report's twelve-month forecast on 30 June 2026, with the contracts that were really won.",
  ),

  h1('Appendix'),
  h2('Results by Region'),
  table(
    ['Region', 'Cost (EUR)', 'Opportunities', 'Won (EUR)', 'CPO (EUR)'],
    ['DACH', '720,000', '71', '940,000', '10,140'],
    ['Benelux', '310,000', '36', '430,000', '8,610'],
    ['France', '390,000', '33', '380,000', '11,820'],
    ['Iberia', '280,000', '25', '310,000', '11,200'],
    ['Nordics', '160,000', '13', '150,000', '12,310'],
  ),
  p(
    'The Nordics started five weeks late, because the translation of the landing pages was delivered on 4 August. Their figures should not be compared with those of the other regions. In Iberia the brand-bidding pause falls into the period.',
  ),
  h2('Interview Guide'),
  p(
    'The interviews followed the past rather than opinions about the future. The questions for customers were:',
  ),
  steps(
    'Tell me about the last time you had to show what a campaign had brought. Who asked, and what did you do first?',
    'What did you do with the answer? What would have happened without it?',
    'Which number did you distrust, and why?',
    'Who else had to agree? What did they look at?',
    'What have you tried since? What did it cost you?',
  ),
  p(
    'Former customers were asked for the week in which they decided to leave, and for what happened in that week.',
  ),
  h2('Further Reading'),
  p(
    'The analysis code, the priors of the mix model and the anonymised survey are in the research repository: [campaign-roi-2025](https://research.brightvane.example/campaign-roi-2025). The interview transcripts can be read in the research room on request; they are kept until 31 December 2026 and then deleted. Questions go to Research Operations, extension 4417.',
  ),
];
