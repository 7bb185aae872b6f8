import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { documentText, quoteOccurs } from '../../eval/documents/text.ts';
import { type Outcome, unmet } from '../../eval/offline-dialogues/check.ts';
import { dialogueDocuments, loadDialogues } from '../../eval/offline-dialogues/load.ts';
import { brokenQuotes } from '../../eval/offline-dialogues/whole-quotes.ts';
import { packageRoot } from '../../src/package-root.ts';

const { dialogues, always } = loadDialogues();

/** The texts of all probes, which name the fields of the skeleton. */
const probes = ['discovery', 'evaluation']
  .map((mode) => join(packageRoot, 'knowledge', mode, 'probes'))
  .flatMap((folder) => readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8')))
  .join('\n');

describe('scripted exchanges', () => {
  it('are 60 or more, each with an id of its own that begins with its kind', () => {
    expect(dialogues.length).toBeGreaterThanOrEqual(60);
    expect(new Set(dialogues.map(({ id }) => id)).size).toBe(dialogues.length);
    expect(dialogues.filter(({ id, kind }) => !id.startsWith(`${kind}-`))).toEqual([]);
  });

  it('expect something, and nothing that contradicts itself', () => {
    for (const { id, expect: expected } of dialogues) {
      expect(Object.keys(expected), id).not.toEqual([]);
      const wanted = expected.contains ?? [];
      expect(
        (expected.not_contains ?? []).filter((text) => wanted.includes(text)),
        id,
      ).toEqual([]);
    }
  });

  it('cite documents that the project has, in words that stand there', async () => {
    for (const dialogue of dialogues) {
      const documents = dialogueDocuments(dialogue);
      for (const name of dialogue.documents ?? []) expect(documents.map((one) => one.name)).toContain(name);
      for (const { document, quote_contains = '' } of dialogue.expect.cites ?? []) {
        const cited = documents.find(({ name }) => name === document);
        expect(cited, dialogue.id).toBeDefined();
        if (cited) expect(quoteOccurs(await documentText(cited), quote_contains), dialogue.id).toBe(true);
      }
    }
  });

  it('name fields that the probes fill', () => {
    for (const { id, expect: expected } of dialogues) {
      const fields = [...Object.keys(expected.skeleton ?? {}), ...(expected.skeleton_unset ?? [])];
      for (const field of fields) expect(probes, id).toContain(`  ${field}: `);
    }
  });

  it('forbid page headers and table rules in every reply', () => {
    expect(unmet(always, outcome({ reply: 'Log of Meetings, page 2 of 4' }), [])).toHaveLength(2);
    expect(unmet(always, outcome({ reply: 'Aarhus: 192 EUR.' }), [])).toEqual([]);
  });
});

describe('checking an outcome', () => {
  it('names what is missing and what is too much', () => {
    const expected = {
      contains: ['Marta  Ruiz'],
      contains_any: [['noted', 'recorded']],
      not_contains: ['no file'],
      skeleton: { decision_maker: 'ruiz' },
      skeleton_unset: ['constraints'],
      assumption_contains: ['five euros'],
      no_documents_searched: true as const,
    };
    const good = outcome({
      reply: 'Recorded: marta\nruiz.',
      skeleton: { decision_maker: 'Marta Ruiz' },
      assumptions: ['They pay five euros'],
    });
    expect(unmet(expected, good, [])).toEqual([]);
    const bad = outcome({ reply: 'No file.', skeleton: { constraints: 'x' }, documentsSearched: true });
    expect(unmet(expected, bad, [])).toHaveLength(7);
  });

  it('asks for the citations that are wanted, or for none', () => {
    const citations = [{ document: 'a.md', quote: 'The sponsor is Maria.' }];
    expect(
      unmet({ cites: [{ document: 'a.md', quote_contains: 'Maria' }] }, outcome({ citations }), []),
    ).toEqual([]);
    expect(unmet({ cites: [{ document: 'b.md' }] }, outcome({ citations }), [])).toHaveLength(1);
    expect(unmet({ cites: [] }, outcome({ citations }), [])).toHaveLength(1);
  });

  it('tells a whole sentence, item or row from a piece of one', () => {
    const text =
      '# Stock\n\nThere are 240 bikes in\nAarhus now. None\nis red.\n\n- bikes of size S first\n- the rest\n\n| Ghent | 12 bikes here |\n| --- | --- |\n';
    const broken = (quote: string): boolean => brokenQuotes(`It says “${quote}” [1]`, [text]).length > 0;
    expect(broken('There are 240 bikes in Aarhus now.')).toBe(false);
    expect(broken('There are 240 bikes in')).toBe(true);
    expect(broken('240 bikes in Aarhus now.')).toBe(true);
    expect(broken('bikes of size S first')).toBe(false);
    expect(broken('Ghent | 12 bikes here')).toBe(false);
    expect(broken('my own words, not the file’s')).toBe(false);
  });
});

function outcome(parts: Partial<Outcome>): Outcome {
  return { reply: '', citations: [], skeleton: {}, assumptions: [], documentsSearched: false, ...parts };
}
