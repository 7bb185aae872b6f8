import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/db/database.ts';
import { selectUsage } from '../../../src/db/usage.ts';
import { LOCAL_CALIBRATION } from '../../../src/embeddings/local.ts';
import { ModelError } from '../../../src/llm/model.ts';
import { searchTurns } from '../../../src/retrieval/turns.ts';
import { fakeLanguageModel, routeReply } from '../../fakes/language-model.ts';
import { openTestDatabase } from '../../helpers/database.ts';
import { turnBench } from '../../helpers/turns.ts';

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

describe('memory', () => {
  it('has every earlier turn verbatim or recalled, never both', async () => {
    const answer = fakeLanguageModel((_, call) => ({ text: `Reply ${call + 1} about the zebra budget.` }));
    const bench = await turnBench(db, { answer });
    for (let n = 1; n <= 6; n++) {
      await bench.say(`Message ${n} about the zebra budget.`);
      await bench.runJobs();
    }
    const seen = new Set<string>();
    for (let n = 1; n <= 6; n++) {
      const receipt = await bench.service.getContext(bench.scope, n);
      const ids = (name: string) =>
        (receipt?.sections.find((section) => section.name === name)?.items ?? []).map(({ id }) => Number(id));
      const window = ids('recent_turns');
      const recalled = ids('retrieved_turns');
      expect(window).toEqual([n - 3, n - 2, n - 1].filter((turn) => turn > 0));
      expect(recalled.every((turn) => turn < n - 3)).toBe(true);
      for (const turn of recalled) seen.add(`${turn} in ${n}`);
    }
    expect([...seen]).toEqual(['1 in 5', '1 in 6', '2 in 6']);
    const last = await bench.service.getContext(bench.scope, 6);
    const section = last?.sections.find(({ name }) => name === 'retrieved_turns');
    expect(section?.text).toContain('Turn 1 (Probe: Root Cause Depth)');
    expect(section?.text).toContain('Reply 1 about the zebra budget.');
  });

  it('indexes a turn whose summary fails, from an extract, and does not ask the model twice', async () => {
    const summary = fakeLanguageModel(() => {
      throw new ModelError('down', { reason: 'unavailable' });
    });
    const bench = await turnBench(db, { summary });
    await bench.say('The zebra budget is gone. It went in May.');
    expect(await bench.runJobs()).toBe(1);
    const { rows } = await db.query<{
      summary: string;
      source: string;
      embedded: boolean;
      lexical_length: number;
    }>(
      `select s.summary, s.source, s.embedding is not null as embedded, t.lexical_length
       from turn_summaries s join turns t using (workspace_id, project_id, turn_number) where project_id = $1`,
      [bench.scope.projectId],
    );
    expect(rows).toMatchObject([
      {
        summary: 'User: The zebra budget is gone. Copilot: Who signs the budget?',
        source: 'extract',
        embedded: true,
      },
    ]);
    expect(rows[0]?.lexical_length).toBeGreaterThan(5);
    await bench.service.summariseHandler.run(
      { ...bench.scope, subject: '1' } as never,
      new AbortController().signal,
    );
    expect(summary.requests).toHaveLength(1);
  });

  it('asks no model about an acknowledgement, and gives it no vector: it is found by its words', async () => {
    const summary = fakeLanguageModel(() => ({ text: 'A summary.' }));
    const router = fakeLanguageModel(() => ({ text: routeReply({ requires_retrieval: false }) }));
    const bench = await turnBench(db, { summary, router });
    await bench.say('Sounds marvellous.');
    await bench.runJobs();
    expect(summary.requests).toEqual([]);
    const { rows } = await db.query(
      `select s.summary, s.source, s.embedding is null as bare, t.lexical_length > 0 as indexed
       from turn_summaries s join turns t using (workspace_id, project_id, turn_number) where project_id = $1`,
      [bench.scope.projectId],
    );
    expect(rows).toEqual([
      {
        summary: 'User: Sounds marvellous. Copilot: Who signs the budget?',
        source: 'extract',
        bare: true,
        indexed: true,
      },
    ]);
    expect((await bench.service.getTurn(bench.scope, 1)).usage?.by_phase.summary).toBeUndefined();
    expect((await selectUsage(db, bench.scope, null)).map(({ phase }) => phase)).not.toContain('embed_turns');
    const found = await searchTurns(db, bench.scope, {
      text: 'marvellous',
      vector: null,
      calibration: LOCAL_CALIBRATION,
      limit: 5,
      mode: 'lexical',
      beforeTurn: null,
      boostProbe: null,
      explain: false,
    });
    expect(found.hits.map(({ turn_number }) => turn_number)).toEqual([1]);
  });

  it('adds the cost of the summary to the turn, once', async () => {
    const bench = await turnBench(db);
    await bench.say('Hello there.');
    await bench.runJobs();
    await bench.service.summariseHandler.run(
      { ...bench.scope, subject: '1' } as never,
      new AbortController().signal,
    );
    const { usage } = await bench.service.getTurn(bench.scope, 1);
    expect(usage?.by_phase.summary).toMatchObject({ calls: 1, input_tokens: 100 });
    const queries = usage?.by_phase.embed_queries?.input_tokens ?? 0;
    expect(usage?.input_tokens).toBe(300 + queries);
  });
});
