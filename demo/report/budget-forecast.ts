import { h1, h2, p, type Report, table, title } from './blocks.ts';

/** What the damaged file would say if its upload had not been cut off. */
export const budgetForecast: Report = {
  title: 'Budget Forecast, First Half of 2026',
  author: 'Jonas Weidner',
  footnotes: {},
  blocks: [
    title('Budget Forecast, First Half of 2026'),
    h1('Marketing'),
    h2('Programme Spend'),
    p('Forecast of 17 October 2025, before the decisions of the Growth Council. Amounts in EUR.'),
    table(
      ['Item', 'Q1', 'Q2'],
      ['Paid search', '520,000', '540,000'],
      ['Paid social', '450,000', '450,000'],
      ['Partner webinars', '210,000', '240,000'],
      ['Field events', '190,000', '380,000'],
    ),
    h2('Reserve'),
    p('A reserve of 5 % is held by Finance and released by the chief financial officer alone.'),
  ],
};
