import { type Block, bullets, h1, h2, h3, p, steps, table } from './blocks.ts';

export const dataQuality: Block[] = [
  h2('Data Quality'),
  p(
    'Every figure in this report was recomputed after the defects below were corrected as far as that is possible after the fact. The uncorrected figures stand in the workbook of the study, sheet "raw". We found the defects by comparing three counts that should be equal: sign-ups in the event stream, accounts in billing, and contacts in the CRM. They differed by 6.8 % in July, by 3.1 % in August and by 1.9 % in September. What remains is mostly people who sign up twice with different addresses, and that is no defect of the systems.',
  ),
  h3('Known Defects'),
  table(
    ['Ticket', 'Defect', 'Effect', 'Owner', 'State on 24 October'],
    [
      'ANL-2291',
      'UTM parameters are lost when a sign-up passes through the single sign-on redirect',
      '19 % of Enterprise sessions cannot be attributed; they are counted as direct traffic',
      'Tomasz Zielinski, Data Platform',
      'Open; estimated at 15 days of work',
    ],
    [
      'ANL-2304',
      'The webinar connector imports attendees twice when the organiser edits the title',
      '312 of 2,870 attendees counted twice',
      'Tomasz Zielinski, Data Platform',
      'Fixed on 2 October; history corrected',
    ],
    [
      'DATA-871',
      'Bookings converted at the month-end rate instead of the rate of the booking day',
      'Amounts in CHF and SEK wrong by up to 2.4 %',
      'Finance Systems',
      'Fixed on 11 August; history corrected',
    ],
    [
      'CRM-1187',
      'Opportunities can be saved without a campaign',
      '14 of 178 opportunities were assigned by hand',
      'Ines Duarte, Sales Operations',
      'Open; a mandatory field was rejected by Sales in August',
    ],
  ),
  h3('Effect on the Figures'),
  p(
    'If the unattributed Enterprise sessions are spread like the attributed ones, the cost per opportunity of paid search falls from 8,850 to 8,200 EUR and nothing changes its rank. If they all belong to field events, whose QR codes lead through the single sign-on page, field events would rise from third to second place. The order of the first and of the last two channels is the same under every assumption that we tried, twelve in all; they are listed in the workbook, sheet "sensitivity".',
  ),

  h1('Risks and Open Questions'),
  h2('Risks'),
  steps(
    "**Concentration.** One partner brings 20 % of the Mid-Market opportunities. If Halden Systems ends the partnership (its contract can be cancelled with three months' notice), the webinar return falls to about +160 %.",
    '**Churn eats the gain.** At 11.8 % churn, the Enterprise contracts won by the campaign are worth 24 % less over three years than the sales model assumes.',
    {
      text: '**Privacy.** The MTA identifies visitors by a first-party cookie.',
      items: [
        'The data protection officer has approved it until 31 March 2026 (DPIA-37).',
        'Without a renewal, MTA covers only signed-in users: about 35 % of the won amounts.',
      ],
    },
    '**Incentives.** The media agency earns 12 % of the spend; moving money to webinars lowers its fee by about 50,000 EUR a half-year.',
  ),
  h2('Open Questions'),
  bullets(
    'Would Enterprise churn fall if SCIM were repaired, or is provisioning the reason that is easiest to name? Three of five interviewed leavers had already chosen a competitor when the problem appeared.',
    'Who owns the definition of ROI? Finance and Marketing each have one; the board has not been asked.',
    'Is 90 days the right window for a segment whose sales cycle is 148 days?',
    'What did the field events contribute that is recorded nowhere? The sales leads estimate two contracts, without naming them.',
  ),
];
