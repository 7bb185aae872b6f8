import { hash } from 'node:crypto';
import { expect, it } from 'vitest';
import { buildPostings, LEXICAL_BUILD } from '../../src/text/postings.ts';

const TEXTS = [
  "The customers' e-mails weren't answered: PROJ-1234, v2.3.1 and getUserName() in snake_case_name.",
  'Churning, churned and the relational organizations happily generalised 1,250.50 units.',
  'Crème brûlée in Zürich; 売上が落ちた。 매출이 줄었다. Выручка упала.',
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
    build: 1,
    digest: '6044ad9b6beaf537610894bb0e0aeb72076074873965f6c0a84ada1f036a2dd3',
  });
});
