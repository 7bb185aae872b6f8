import { hash } from 'node:crypto';
import { expect, it } from 'vitest';
import { buildPostings, LEXICAL_BUILD } from '../../src/text/postings.ts';

const TEXTS = [
  "The customers' e-mails weren't answered: PROJ-1234, v2.3.1 and getUserName() in snake_case_name.",
  'Churning, churned and the relational organizations happily generalised 1,250.50 units.',
  'Crème brûlée in Zürich; 売上が落ちた。 매출이 줄었다. Выручка упала.',
  'Due on 3 March 2025, or 03/04/2025: 1 500 of them.',
  `Keys: ${'482 913 '.repeat(6)}`,
];

/*
 * What is stored of the same texts. When this changes on purpose, raise LEXICAL_BUILD and put the new hash beside it:
 * otherwise what is stored and what is asked for would silently disagree.
 */
it('writes the same postings for the same texts as long as its build is the same', () => {
  const leaves = TEXTS.map((text, leafIndex) => ({
    leafIndex,
    text,
    breadcrumb: '[Source: plan.md > Risks]',
  }));
  const digest = hash('sha256', JSON.stringify(buildPostings(leaves)));
  expect({ build: LEXICAL_BUILD, digest }).toEqual({
    build: 4,
    digest: '3cbaf8c889829466afb11d3865dafb0eab6cec87a138ff82b3e8d4c622088f7f',
  });
});
