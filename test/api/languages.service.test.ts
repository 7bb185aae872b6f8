import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp } from '../helpers/app.ts';
import { storeIndexedTurn } from '../helpers/stored-turn.ts';

const GERMAN = `# Freigabe

## Genehmigungen

Jede Bestellung wird von der Fachabteilung geprüft, bevor sie an den Lieferanten geht. Die Genehmigung der Teamleitung ist
nötig, wenn der Betrag über der Grenze liegt, und sie wird in drei Tagen erteilt.

## Beschlüsse

Der Start in Straßburg wird auf den Herbst verschoben. Der Vertrag mit der Firma Königsdörfer wird nicht verlängert, weil
die Kosten zu hoch waren.
`;
const FRENCH = `# Hébergement

L'hôtel est limité à 120 euros par nuit, et la facture doit être établie au nom de l'entreprise. La sécurité des données est
de la responsabilité du prestataire, qui doit la garantir dans son contrat.
`;
const ENGLISH = `# Tooling

The die of the press is replaced once a year. It is not the task of the operators to do that, and they should call for help.
`;

let forge: Awaited<ReturnType<typeof startTestApp>>;
beforeAll(async () => {
  forge = await startTestApp({ settings: { EMBEDDING_PROVIDER: 'off' }, ownEmbeddings: true });
  await forge.call('POST', '/projects', { id: 'p', name: 'P' });
  await forge.upload('p', {
    'freigabe.md': GERMAN,
    'hebergement.md': FRENCH,
    'tooling.md': ENGLISH,
  });
  await forge.settle();
});
afterAll(() => forge.close());

it('finds an earlier exchange in any inflection, too', async () => {
  const { workspace_id: workspaceId } = (
    await forge.db.query<{ workspace_id: string }>('select workspace_id from projects')
  ).rows[0] ?? { workspace_id: '' };
  await storeIndexedTurn(
    forge.db,
    { workspaceId, projectId: 'p' },
    {
      turnNumber: 1,
      message:
        'Wer muss die Verträge mit den Lieferanten unterschreiben, bevor wir sie an die Buchhaltung geben?',
      response: 'Das ist noch nicht entschieden, aber es wird wohl die Leiterin des Einkaufs sein.',
    },
  );
  const request = { query: 'Vertrag des Lieferants', kinds: ['turns'], min_score: 0 };
  const { body } = await forge.call('POST', '/projects/p/search', request);
  expect(body.data.map((turn: { turn_number: number }) => turn.turn_number)).toEqual([1]);
});

async function found(query: string): Promise<string | undefined> {
  const { body } = await forge.call('POST', '/projects/p/search', { query, kinds: ['documents'] });
  return body.data[0]?.filename;
}

describe('files in several languages', () => {
  it('say which language they are in', async () => {
    const { body } = await forge.call('GET', '/projects/p/files');
    const languages = body.data.map(({ name, language }: { name: string; language: string | null }) => [
      name,
      language,
    ]);
    expect(Object.fromEntries(languages)).toEqual({
      'freigabe.md': 'de',
      'hebergement.md': 'fr',
      'tooling.md': null,
    });
  });

  it.each([
    ['Genehmigungen von Bestellungen', 'freigabe.md'],
    ['Wie lange dauert das Genehmigen?', 'freigabe.md'],
    ['strassburg', 'freigabe.md'],
    ['KÖNIGSDÖRFERS Verträge', 'freigabe.md'],
    ['limites des hôtels', 'hebergement.md'],
    ['securite', 'hebergement.md'],
    ['Quelles sont les responsabilités des prestataires ?', 'hebergement.md'],
    ['die of the presses', 'tooling.md'],
    ['When are dies replaced?', 'tooling.md'],
  ])('are found in any inflection: %s', async (query, filename) => {
    expect(await found(query)).toBe(filename);
  });
});

it('finds a file in a language that came after a search', async () => {
  expect(await found('negociaciones')).toBeUndefined();
  await forge.upload('p', {
    'compras.md':
      '# Compras\n\nLa negociación con los proveedores es tarea del departamento de compras, y se hace una vez al año.\n',
  });
  await forge.settle();
  expect(await found('negociaciones')).toBe('compras.md');
});
