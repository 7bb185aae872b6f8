import { describe, expect, it } from 'vitest';
import { unitsOf } from '../../../src/llm/offline/units.ts';

const shown = (text: string): string[] =>
  unitsOf([{ marker: 1, filename: 'a.md', headerPath: [], text, score: 1 }]).map((unit) => unit.shown);

describe('unitsOf', () => {
  it('keeps sentences whole, over line ends and abbreviations', () => {
    expect(shown('The company doctor is Dr. Ada van\nRossum. She calls you back soon.')).toEqual([
      '“The company doctor is Dr. Ada van\nRossum.”',
      '“She calls you back soon.”',
    ]);
    expect(shown('Die Regel gilt ab dem 1. März für alle.')).toEqual([
      '“Die Regel gilt ab dem 1. März für alle.”',
    ]);
  });

  it('names the columns of a row, and leaves out empty cells', () => {
    const table =
      '| City | Cost | Note |\n| --- | ---: | --- |\n| Ghent | 124 | |\n| Aarhus | 192 | a \\| b |\n';
    expect(shown(table)).toEqual(['City: Ghent; Cost: 124', 'City: Aarhus; Cost: 192; Note: a \\| b']);
  });

  it('leaves out front matter, headings, lead-ins and page furniture', () => {
    const text = `---
title: A report of spring
---
# The report of spring

Tern Mobility - Log of Meetings                         page 1 of 4

Contents of the report ........ 12

We recommend the following things:

- Keep the posters at tram stops.

Acme confidential, page 7
Tern Mobility - Log of Meetings                         page 2 of 4

17
`;
    expect(shown(text)).toEqual(['“Keep the posters at tram stops.”']);
  });

  it('knows a running header by its coming back', () => {
    const text =
      'Acme Board Minutes\n\nThe budget was approved today.\n\nAcme Board Minutes\n\nThe pilot starts in June.';
    expect(shown(text)).toEqual(['“The budget was approved today.”', '“The pilot starts in June.”']);
  });

  it('quotes nothing that would have to be cut', () => {
    expect(shown(`${'word '.repeat(400)}.`)).toEqual([]);
  });
});
