import { type Block, bullets, h1, h2, p, steps, table, title } from './blocks.ts';

export const opening: Block[] = [
  title('Signals First: Campaign ROI Research, Q3 2025'),
  p(
    'Prepared by Research Operations for the Growth Council of Brightvane Analytics. Version 1.3, 24 October 2025. Owner: **Noor Achterberg**. Status: for decision.',
  ),
  table(
    ['Version', 'Date', 'Change', 'By'],
    ['1.0', '6 October 2025', 'First draft, for comments by the interviewed', 'Noor Achterberg'],
    ['1.1', '13 October 2025', 'Currency conversion corrected (DATA-871)', 'Finance Systems'],
    [
      '1.2',
      '17 October 2025',
      'Second coder for the interviews; webinar attendees corrected',
      'Noor Achterberg',
    ],
    ['1.3', '24 October 2025', 'Recommendations after the meeting of the Growth Council', 'Noor Achterberg'],
  ),

  h1('Executive Summary'),
  p(
    'Brightvane sells product analytics to subscription businesses. From 1 July to 30 September 2025 it ran *Signals First*, its largest campaign so far: 1.86 M EUR in five channels. The campaign dashboard that the board was shown on 7 October reports a return of **+19 %**. Measured on gross margin instead of revenue, and within the same 90 days, the return is **-7 %**. Both figures come from the same bookings; they answer different questions, and nobody had written down which question the board asked.',
  ),
  bullets(
    'The campaign created 178 opportunities worth 7.4 M EUR of pipeline. 2.21 M EUR were closed and won within the quarter.',
    'Mid-Market carries the result. Enterprise took as much money for a third of the opportunities, and its customers leave faster than a year ago.',
    'Partner webinars cost 4,630 EUR per opportunity; paid social cost 16,050 EUR, content syndication 17,780 EUR.',
    'About one Enterprise session in five reaches the sign-up form without its campaign parameters (ticket ANL-2291). Until that is repaired, no attribution model can be trusted for this segment.',
    'We recommend to move 420,000 EUR from paid social and syndication to webinars and to the two defects, and to report gross-margin return from now on.',
  ),

  h1('Background and Scope'),
  h2('Why This Study Was Commissioned'),
  p(
    'Three teams reported three different returns for the same campaign in the first week of October: Marketing +19 %, Finance -7 %, and Sales Operations "cannot be computed". The Growth Council asked Research Operations to find out where the difference comes from before the budget for the first half of 2026 is fixed. The study was asked for by the chief marketing officer, Marta Okonkwo, and paid from the analytics budget, cost centre 4410.',
  ),
  p(
    'The wish that started the discussion was a solution rather than a problem: an "ROI dashboard for everyone". Interviews showed that the people who asked for it wanted four different things, from a slide for the board to an alert when a campaign overspends. We therefore looked at the decisions first and at the dashboard last.',
  ),
  h2('Scope and Exclusions'),
  p(
    'The study covers bookings and touchpoints recorded between 1 July and 30 September 2025. It leaves out:',
  ),
  bullets(
    {
      text: 'public sector customers, because their tenders run for more than one year;',
      items: [
        '11 accounts, 0.9 M EUR of annual recurring revenue',
        'they will get a study of their own in 2026',
      ],
    },
    'renewals without any expansion, since no campaign touched them;',
    {
      text: 'brand effects that last longer than 12 months;',
      items: [
        'a brand tracker exists, but its panel of 220 people is too small to tell regions apart',
        'the panel provider raises it to 600 people in January 2026',
      ],
    },
    'the price change of 1 September, which applies to new contracts of self-serve customers only.',
  ),
  h2('Definitions Used in This Report'),
  p(
    'The same words were used with different meanings in the interviews. In this report they have one meaning each:',
  ),
  table(
    ['Term', 'Meaning here', 'Who used it differently'],
    [
      'Opportunity',
      'A qualified sales conversation with an amount and a date in the CRM',
      'Marketing counted every demo request',
    ],
    [
      'CPO',
      'Cost per opportunity: campaign cost divided by opportunities',
      'Agency reports divide by demo requests',
    ],
    [
      'Churn',
      'Logo churn: customers lost in 12 months divided by customers at the start',
      'Finance uses revenue churn',
    ],
    ['NRR', 'Net revenue retention of a cohort after 12 months', 'None'],
    [
      'ROI',
      'Gross margin won minus campaign cost, divided by campaign cost',
      'Marketing uses revenue instead of gross margin',
    ],
  ),

  h1('Method'),
  h2('Data Sources'),
  steps(
    'CRM export of 3 October 2025: 178 opportunities, 61 closed and won, with amounts in contract currency.',
    'Event stream of the web site: 2.9 million sessions, 14.6 million events, identified where a visitor signed up.',
    {
      text: 'Cost records:',
      items: [
        'invoices of the media agency Corbel Media, by channel and week',
        'the ledger, for events and staff travel',
      ],
    },
    'Contracts and cancellations from billing, 24 months, used for churn and for net revenue retention.',
    'Eighteen interviews and a survey among 212 customers (response rate 31 %).',
  ),
  p(
    'All amounts were converted to EUR at the rate of the booking day. The conversion job had used the month-end rate until 11 August; bookings before that day were converted again for this report (see ticket DATA-871).',
  ),
];
