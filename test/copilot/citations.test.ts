import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resolveCitations } from '../../src/copilot/citations.ts';
import { findMarkers } from '../../src/copilot/markers.ts';
import type { SentPassage } from '../../src/copilot/sections/documents.ts';
import { passage } from '../helpers/copilot.ts';

const REPORT = `## Findings

Revenue from enterprise customers fell by 12 % in the third quarter. The main cause was churn among
accounts without a named success manager. Two customers left because of a missing SSO integration.

| Segment | Churn |
| --- | --- |
| Enterprise | 9 % |
| Mid-market | 4 % |

- Marta Ruiz owns the budget up to 250 k EUR.
- The steering committee meets in May.
`;

const sent = (marker: number, text: string, charStart = 0): SentPassage => ({
  marker,
  passage: passage(`p${marker}`, text, { char_start: charStart }),
  spans: [{ start: 0, end: text.length }],
});

const quotes = (reply: string, passages = [sent(1, REPORT)]) =>
  resolveCitations(reply, passages).citations.map(({ quote }) => quote);

describe('resolveCitations', () => {
  it.each([
    [
      'Enterprise revenue dropped 12 % [1].',
      'Revenue from enterprise customers fell by 12 % in the third quarter.',
    ],
    [
      'Churn was highest at accounts with no success manager. [1]',
      'The main cause was churn among\naccounts without a named success manager.',
    ],
    ['Churn in the mid-market segment is 4 %.[1]', '| Mid-market | 4 % |'],
    ['Who decides? Marta Ruiz, up to 250 k EUR [1].', 'Marta Ruiz owns the budget up to 250 k EUR.'],
    ['[1] says that the steering committee meets in May.', 'The steering committee meets in May.'],
  ])('quotes what the claim was taken from: %s', (reply, quote) => {
    expect(quotes(reply)).toEqual([quote]);
  });

  it('quotes both sentences of a claim that rests on two', () => {
    const reply =
      'Enterprise revenue fell 12 % because of churn among accounts without a success manager [1].';
    expect(quotes(reply)[0]).toContain('fell by 12 %');
    expect(quotes(reply)[0]).toContain('named success manager');
  });

  it('gives one marker a quote for each claim it stands for', () => {
    const reply =
      'Revenue from enterprise customers fell [1]. The steering committee meets in May [1]. It meets in May [1].';
    expect(quotes(reply)).toHaveLength(2);
  });

  it('says exactly where in the file the quote stands, whatever the texts are', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.constantFrom(
        '\n\n',
        '. ',
        '| a | b |\n',
        '- item ',
        '```\n',
        '😀 ',
        '预算被削减了。',
        '# H\n',
        'Revenue fell. ',
      ),
    );
    const text = fc.array(piece, { minLength: 1, maxLength: 40 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(text, text, fc.nat(1_000), (markdown, claim, before) => {
        const document = `${'x'.repeat(before)}${markdown}`;
        const { citations } = resolveCitations(`${claim} Revenue fell [1].`, [sent(1, markdown, before)]);
        for (const { quote, char_start, char_end } of citations) {
          expect(document.slice(char_start, char_end)).toBe(quote);
        }
      }),
      { numRuns: 60, seed: 11 },
    );
  });

  it('removes markers that resolve to nothing, and counts them', () => {
    const { text, removed, citations } = resolveCitations('Fell [7]. Rose [1, 9]! Held, [3][1] end [2].', [
      sent(1, REPORT),
    ]);
    expect(text).toBe('Fell. Rose [1]! Held, [1] end.');
    expect(removed).toBe(4);
    expect(citations.every(({ marker }) => marker === 1)).toBe(true);
  });

  it('counts only numbers that were given: an index behind a word stays as it is', () => {
    const reply = 'Take arr[99] and items[2], as said[1].';
    const { text, removed, citations } = resolveCitations(reply, [sent(1, REPORT)]);
    expect(text).toBe(reply);
    expect([removed, citations.length]).toEqual([0, 1]);
  });

  it('resolves lists and ranges', () => {
    const passages = [1, 2, 3].map((marker) => sent(marker, REPORT));
    const markersOf = (reply: string) =>
      resolveCitations(reply, passages).citations.map(({ marker }) => marker);
    expect(markersOf('It fell [1-2].')).toEqual([1, 2]);
    expect(markersOf('It fell [1, 2].')).toEqual([1, 2]);
    expect(markersOf('It fell [1–3].')).toEqual([1, 2, 3]);
    expect(markersOf('It fell [1; 3].')).toEqual([1, 3]);
    expect(resolveCitations('It fell [2-5].', passages)).toMatchObject({
      text: 'It fell [2, 3].',
      removed: 2,
    });
    expect(findMarkers('[3-1] [1-999]').map(({ numbers }) => numbers)).toEqual([
      [3, 1],
      [1, 999],
    ]);
  });

  it('says of each citation whether its claim stands in what it cites', () => {
    const { citations } = resolveCitations(
      'Enterprise revenue fell by 12 % [1]. It fell by 21 % in Porto [1].\n1. Marta Ruiz owns the budget up to 250,000 EUR [1].',
      [sent(1, REPORT)],
    );
    expect(citations.map(({ support, missing }) => [support, missing])).toEqual([
      ['unsupported', ['21', 'Porto']],
      ['supported', []],
    ]);
    expect(citations.map(({ claim }) => claim)).toEqual([
      'It fell by 21 % in Porto',
      'Marta Ruiz owns the budget up to 250,000 EUR',
    ]);
  });

  it('takes all that is cited for a claim together', () => {
    const other = sent(2, 'The pilot runs in Lisbon.');
    const { citations } = resolveCitations('Revenue fell by 12 %, and Lisbon has the pilot [1][2].', [
      sent(1, REPORT),
      other,
    ]);
    expect(citations.map(({ support }) => support)).toEqual(['supported', 'supported']);
  });

  it('leaves code, links, definitions and years alone', () => {
    const reply = [
      'Call `items[3]` as in [4](https://example.org/[5]) since [2024].',
      '```js',
      'const a = b[6];',
      '```',
      '[7]: https://example.org',
      'See [7] and ``x[8] ` y``.',
    ].join('\n');
    expect(resolveCitations(reply, [])).toEqual({ text: reply, citations: [], removed: 0 });
  });

  it('quotes nothing of a passage that was not sent', () => {
    const narrowed = { ...sent(1, REPORT), spans: [{ start: 0, end: REPORT.indexOf('The main cause') }] };
    expect(quotes('The steering committee meets in May [1].', [narrowed])[0]).not.toContain('May');
  });

  it('falls back on the matched leaf when no word of the claim is in the passage', () => {
    const [quote] = quotes('Das Budget wurde gekürzt [1].');
    expect(REPORT).toContain(quote);
    expect(quote?.length).toBeGreaterThan(20);
  });

  it('names the leaf that holds the quote, and its page', () => {
    const at = REPORT.indexOf('- Marta');
    const leaves = [
      { leafId: 'first', parentId: 'p1', headerPath: [], charStart: 100, charEnd: 100 + at, page: 1 },
      {
        leafId: 'second',
        parentId: 'p1',
        headerPath: [],
        charStart: 100 + at,
        charEnd: 100 + REPORT.length,
        page: 2,
      },
      { leafId: 'foreign', parentId: 'p9', headerPath: [], charStart: 0, charEnd: 9_999, page: 3 },
    ];
    const { citations } = resolveCitations('Marta Ruiz owns the budget [1].', [sent(1, REPORT, 100)], leaves);
    expect(citations).toMatchObject([
      {
        marker: 1,
        filename: 'p1.md',
        version: 1,
        header_path: ['Findings'],
        leaf_id: 'second',
        page: 2,
        parent_id: 'p1',
      },
    ]);
  });

  it('bounds its work on a reply of nothing but markers', () => {
    const { citations, removed } = resolveCitations('[1] [9] '.repeat(20_000), [sent(1, REPORT)]);
    expect(removed).toBe(20_000);
    expect(citations.length).toBeLessThanOrEqual(200);
  });
});

describe('findMarkers', () => {
  it.each([
    '`'.repeat(50_000),
    '[1'.repeat(30_000),
    '](('.repeat(20_000),
    '` `` ``` '.repeat(8_000),
    '[1,'.repeat(20_000),
  ])(
    'takes time in proportion to a hostile reply (%#)',
    (reply) => {
      expect(findMarkers(reply)).toEqual([]);
    },
    2_000,
  );
});
