import { type Block, bullets, h1, h2, h3, p, table } from './blocks.ts';

export const segments: Block[] = [
  h1('Findings'),
  h2('Overall Return'),
  p(
    'The campaign cost 1,860,000 EUR. It created 178 opportunities with 7.4 M EUR of pipeline, an average of 10,450 EUR per opportunity. Within the quarter 2.21 M EUR were won. On revenue the return is (2.21 - 1.86) / 1.86 = +19 %. At the gross margin of 78 % the same bookings are worth 1.72 M EUR, and the return is -7 %.',
  ),
  p(
    'The open pipeline will add to this. With the historical win rate of 26 % on the remaining 5.19 M EUR we expect a return of **+49 % on gross margin after twelve months**, with an 80 % interval from +12 % to +83 %. The campaign is therefore not a failure; it was judged too early, with the wrong numerator.',
  ),

  h2('Customer Segments'),
  p(
    'Segments follow the number of employees of the customer: Enterprise from 1,000, Mid-Market from 100 to 999, Self-Serve below 100. The three segments hold 46 %, 38 % and 16 % of the annual recurring revenue of 31.4 M EUR.',
  ),
  table(
    ['Segment', 'Customers', 'ARR (M EUR)', 'Logo churn, 12 months', 'NRR', 'Opportunities', 'CPO (EUR)'],
    ['Enterprise', '118', '14.4', '11.8 %', '97 %', '38', '18,900'],
    ['Mid-Market', '402', '11.9', '9.2 %', '108 %', '112', '6,400'],
    ['Self-Serve', '3,910', '5.1', '41.0 %', '88 %', '28', '15,180'],
  ),

  h3('Enterprise'),
  p(
    'Enterprise logo churn rose from 7.9 % in Q3 2024 to **11.8 %** in Q3 2025: 14 of the 119 customers of a year before have left. Net revenue retention fell to 97 %, below 100 % for the first time since 2021. The segment holds 46 % of recurring revenue, so each point of churn costs about 144,000 EUR a year.',
  ),
  p('Exit interviews and cancellation forms name the same causes, in this order:'),
  bullets(
    {
      text: 'provisioning: 41 % name missing or unreliable SCIM group synchronisation (ticket PLAT-640);',
      items: [
        'nested groups are dropped, so that analysts lose access after a reorganisation',
        'the workaround, a weekly CSV upload, needs an administrator for two hours',
      ],
    },
    'time to value: 63 days from contract to the first dashboard in use, against 21 days promised in the sales deck;',
    'price: 18 % name it, but none of them names it first.',
  ),
  p(
    'The campaign touched 64 of the 118 accounts. It produced 38 opportunities at 18,900 EUR each, 3.9 M EUR of pipeline, and 0.62 M EUR won. "You invited us to a keynote about signals while our people could not log in", said the data lead of an insurer that has since cancelled.',
  ),

  h3('Mid-Market'),
  p(
    'Mid-Market is where the campaign worked. It produced 112 opportunities at 6,400 EUR each and 1.31 M EUR of won contracts, 59 % of the total. Logo churn is stable at 9.2 % (9.5 % a year before), net revenue retention is 108 %, driven by additional seats after the second quarter of use. Buyers name the partner webinars most often as the event after which they asked for a quotation (46 of 112). The average sales cycle shrank from 71 to 58 days.',
  ),
  p(
    'Two warnings: 22 of the 112 opportunities come from a single partner, Halden Systems, and the customer success team looks after 67 Mid-Market accounts per person, against 40 recommended by its own handbook.',
  ),

  h3('Self-Serve'),
  p(
    'The trial-to-paid conversion rose from 2.7 % to 3.1 % during the campaign. The holdout shows that at most a third of this rise was caused by paid social; the new onboarding checklist, shipped on 21 July, is the more likely cause. Monthly churn is 4.3 %, which is 41 % a year. The payback period of acquisition cost is seven months, longer than the median life of a self-serve contract on the smallest plan (six months).',
  ),
  p(
    'The campaign assisted 28 upgrades to annual plans at 15,180 EUR each, 0.28 M EUR won in total. At this cost the segment should not be addressed by paid channels at all.',
  ),
];
