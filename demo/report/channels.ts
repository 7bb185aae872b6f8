import { type Block, bullets, h2, h3, p, table } from './blocks.ts';

export const channels: Block[] = [
  h2('Channels'),
  p(
    'Costs include agency fees (12 % of media spend) and, for field events, travel. Return is on gross margin after twelve months, the mean of MTA and MMM.',
  ),
  table(
    ['Channel', 'Cost (EUR)', 'Opportunities', 'CPO (EUR)', 'Return, 12 months', 'Evidence'],
    ['Paid search', '540,000', '61', '8,850', '+78 %', 'firm'],
    ['Paid social', '610,000', '38', '16,050', '-31 %', 'firm'],
    ['Partner webinars', '190,000', '41', '4,630', '+264 %', 'firm'],
    ['Field events', '360,000', '29', '12,410', '+70 %', 'indicative'],
    ['Content syndication', '160,000', '9', '17,780', '-52 %', 'firm'],
  ),
  h3('Paid Search'),
  p(
    'Brand keywords took 38 % of the spend. A pause of brand bidding in Spain from 8 to 21 September lost 4 % of the clicks, because organic results took over the rest. Generic keywords on "product analytics" have reached saturation: the last 20 % of the spend brought 3 of 61 opportunities. We see no reason to spend more here, and a reserve of about 90,000 EUR a quarter in brand keywords. The exception is France, where competitors bid on our name since June.',
  ),
  h3('Paid Social'),
  p(
    'Paid social was the largest item and the second dearest: 38 opportunities for 610,000 EUR. MTA gives it a return of -27 %, MMM -35 %; the geo holdout finds an effect on sign-ups that cannot be told from zero. Its reports look better than its results because the platform counts view-through conversions of 28 days. It reaches practitioners in companies under 100 employees, who cannot sign the contracts that the campaign was made for. Three of four clicks came from phones, where the trial cannot be started.',
  ),
  h3('Partner Webinars'),
  p(
    'Nine webinars with four technology partners cost 190,000 EUR and brought 41 opportunities. A webinar with a live customer (five of nine) brought 6.4 opportunities, one without 2.3. The format is limited by the partners: Halden Systems can hold two a quarter, the others one each. The connector that imports the attendees counted 312 of them twice (ticket ANL-2304); the figures here are corrected. Recordings are watched by 180 people a month and have brought nothing that we can measure.',
  ),
  h3('Field Events'),
  p(
    'Four events, in Hamburg, Lyon, Utrecht and Madrid, brought 29 opportunities, 17 of them Enterprise. Offline conversations are entered by hand, on average nine days later, and MTA sees only half of them; the return of +70 % rests on MMM alone and is indicative. The Utrecht event cost 41 % more than planned, since the venue was changed three weeks before the date. Hamburg was the best of the four: 11 opportunities, 7 of them Enterprise, at 8,900 EUR each.',
  ),
  h3('Content Syndication'),
  p(
    'Two vendors delivered 1,340 leads at a fixed price. Nine became opportunities. A sample of 100 leads was called: 36 did not remember the download, 22 had left the company, 8 were students. The contract with Leadmere ends on 31 December 2025 and renews for twelve months unless it is cancelled **by 30 November 2025**.',
  ),
  bullets(
    'Cost of a syndicated lead that answers the phone: 485 EUR.',
    'Cost of a webinar attendee who answers the phone: 74 EUR.',
  ),
];
