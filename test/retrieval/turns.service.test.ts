import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { searchTurns, type TurnQuery } from '../../src/retrieval/turns.ts';
import type { Scope } from '../../src/scope.ts';
import { fakeEmbeddingModel } from '../fakes/embedding-model.ts';
import { openTestDatabase } from '../helpers/database.ts';
import { storeProject } from '../helpers/rows/project.ts';
import { type IndexedTurn, storeIndexedTurn } from '../helpers/stored-turn.ts';

const model = fakeEmbeddingModel();

/** A turn whose reply is its summary too; null: it has none yet. */
type TestTurn = Omit<IndexedTurn, 'turnNumber' | 'summary'> & { summary?: string | null };

let db: Database;
let scope: Scope;

async function storeTurn(into: Scope, turnNumber: number, turn: TestTurn): Promise<void> {
  const { summary = turn.response, ...row } = turn;
  await storeIndexedTurn(db, into, {
    turnNumber,
    ...row,
    ...(summary !== null && { summary: { text: summary, vector: model.vectorOf(summary) } }),
  });
}

const find = (text: string, query: Partial<TurnQuery> = {}, where = scope) =>
  searchTurns(db, where, {
    ...{ text, vector: model.vectorOf(text), calibration: model.calibration },
    ...{ limit: 3, mode: 'hybrid', beforeTurn: null, boostProbe: null, explain: false },
    ...query,
  });

const numbersOf = ({ hits: turns }: Awaited<ReturnType<typeof find>>) =>
  turns.map(({ turn_number }) => turn_number);

beforeAll(async () => {
  db = await openTestDatabase();
  scope = await storeProject(db, 'campaign');
  const turns: TestTurn[] = [
    { message: 'Our churn doubled in spring.', response: 'Which customers left?' },
    { message: 'The CFO decides about spending.', response: 'Who else signs?', probe: 'stakeholder-mapping' },
    { message: 'Legal signs as well.', response: 'Noted: legal.', probe: 'stakeholder-mapping' },
    { message: 'Nothing else.', response: 'Then to success.' },
    { message: 'Ticket OPS-77 blocks us.', response: 'What does it wait for?', summary: null },
    { message: 'A failed one about zeppelins.', response: '', status: 'failed' },
    { message: 'Success is churn under two percent.', response: 'By when?' },
  ];
  for (const [index, turn] of turns.entries()) await storeTurn(scope, index + 1, turn);
});

afterAll(async () => {
  await db.close();
});

describe('searchTurns', () => {
  it('gives the full exchange, best first', async () => {
    const { hits: turns, strategy } = await find('Who decides about spending?');
    expect(strategy).toBe('hybrid');
    expect(turns[0]).toMatchObject({
      turn_number: 2,
      probe: 'stakeholder-mapping',
      message: 'The CFO decides about spending.',
      response: 'Who else signs?',
      summary: 'Who else signs?',
      explain: null,
    });
  });

  it('finds the very first turn', async () => {
    expect(numbersOf(await find('churn in spring'))[0]).toBe(1);
  });

  it('finds by exact words a turn that has no summary yet', async () => {
    expect(numbersOf(await find('OPS-77'))[0]).toBe(5);
    expect((await find('OPS-77')).hits[0]?.summary).toBe('');
  });

  it('leaves out turns from the given number on', async () => {
    expect(numbersOf(await find('churn', { limit: 10, beforeTurn: 7 }))).not.toContain(7);
    expect(numbersOf(await find('churn', { limit: 10, beforeTurn: 8 }))).toContain(7);
    expect(numbersOf(await find('churn', { beforeTurn: 1 }))).toEqual([]);
  });

  it('recalls every turn that has ended, those without a reply behind the others', async () => {
    const ended = await storeProject(db, 'ended');
    const message = 'All about zeppelins.';
    const ends = [
      { status: 'completed', response: 'Zeppelins are slow.' },
      { status: 'cancelled', response: 'Zeppelins were' },
      { status: 'cancelled', response: '' },
      { status: 'failed', response: '' },
      { status: 'in_progress', response: '' },
    ] as const;
    for (const [index, end] of ends.entries()) {
      await storeTurn(ended, index + 1, { message, ...end, summary: 'Zeppelins.' });
    }
    for (const mode of ['hybrid', 'semantic', 'lexical'] as const) {
      const { hits: turns } = await find('zeppelins', { mode, limit: 10 }, ended);
      expect(turns.map(({ turn_number }) => turn_number).sort()).toEqual([1, 2, 3, 4]);
      expect(new Set(turns.slice(0, 2).map(({ turn_number }) => turn_number))).toEqual(new Set([1, 2]));
      expect(turns.find(({ turn_number }) => turn_number === 2)).toMatchObject({
        status: 'cancelled',
        response: 'Zeppelins were',
      });
      expect(turns.find(({ turn_number }) => turn_number === 4)).toMatchObject({
        status: 'failed',
        response: '',
      });
    }
  });

  it('counts a mere acknowledgement for half, unless its caller had retrieval switched off', async () => {
    const said = { message: 'Thanks.', response: 'Next: who signs the budget?' };
    const projects = await Promise.all(
      [undefined, 'model', 'offline', 'override'].map(async (source, index) => {
        const project = await storeProject(db, `filler-${index}`);
        await storeTurn(project, 1, {
          ...said,
          ...(source && { routing: { requires_retrieval: false, source } }),
        });
        return project;
      }),
    );
    const scores = await Promise.all(
      projects.map(async (project) => (await find('Who signs?', {}, project)).hits[0]?.rank_score),
    );
    expect(scores).toEqual([1, 0.5, 0.5, 1]);
  });

  it('puts an acknowledgement behind a turn whose user said something', async () => {
    const project = await storeProject(db, 'thanks');
    const routing = { requires_retrieval: false, source: 'model' };
    await storeTurn(project, 1, { message: 'Marta signs the budget.', response: 'Up to which sum?' });
    await storeTurn(project, 2, { message: 'Nothing.', response: 'Fine.' });
    await storeTurn(project, 3, {
      message: 'Thanks.',
      response: 'Who signs the budget, who signs it?',
      routing,
    });
    expect(numbersOf(await find('Who signs the budget?', { mode: 'lexical' }, project))).toEqual([1, 3]);
  });

  it('prefers turns of the probe that is asked about', async () => {
    const text = 'signs';
    const rankScoreOf = async (boostProbe: string | null) =>
      (await find(text, { mode: 'lexical', boostProbe })).hits.find(({ turn_number }) => turn_number === 3)
        ?.rank_score ?? 0;
    expect(await rankScoreOf('stakeholder-mapping')).toBeCloseTo(1.2 * (await rankScoreOf(null)));
    expect(await rankScoreOf('constraint-mapping')).toBe(await rankScoreOf(null));
  });

  it('lets a boosted turn overtake an equal one', async () => {
    const equal = await storeProject(db, 'equal');
    const said = { message: 'Pricing is open.', response: 'Until when?' };
    await storeTurn(equal, 1, { ...said, probe: 'a' });
    await storeTurn(equal, 2, { message: 'Hello.', response: 'Hi.' });
    await storeTurn(equal, 3, { ...said, probe: 'b' });
    const first = async (boostProbe: string) =>
      numbersOf(await find('pricing', { mode: 'lexical', boostProbe }, equal))[0];
    expect(await first('a')).toBe(1);
    expect(await first('b')).toBe(3);
  });

  it('gives by words alone only turns that have one', async () => {
    expect(numbersOf(await find('spring', { mode: 'lexical', limit: 10 }))).toEqual([1]);
  });

  it('falls back to words without a vector, and says so', async () => {
    const { hits: turns, strategy } = await find('OPS-77', { mode: 'semantic', vector: null });
    expect(strategy).toBe('lexical_fallback');
    expect(turns.map(({ turn_number }) => turn_number)).toEqual([5]);
  });

  it('explains where the turn stood', async () => {
    const [turn] = (await find('Which customers left?', { explain: true })).hits;
    expect(turn).toMatchObject({
      turn_number: 1,
      explain: { dense_rank: 1, lexical_rank: 1, fused_score: 1 },
    });
    expect(turn?.explain?.dense_score).toBeCloseTo(1);
  });

  it('never shows another project', async () => {
    const other = await storeProject(db, 'other');
    await storeTurn(other, 1, { message: 'Churn of another project.', response: 'Churn.' });
    const { hits: turns } = await find('churn of another project', { limit: 100 });
    expect(turns.map(({ message }) => message)).not.toContain('Churn of another project.');
    expect(numbersOf(await find('churn', { limit: 100 }, other))).toEqual([1]);
  });
});
