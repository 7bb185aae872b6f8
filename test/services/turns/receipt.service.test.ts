import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyState } from '../../../src/contract/state.ts';
import type { Database } from '../../../src/db/database.ts';
import { findProject } from '../../../src/db/projects.ts';
import { fakeLanguageModel, routeReply } from '../../fakes/language-model.ts';
import { openTestDatabase } from '../../helpers/database.ts';
import { REPORT, SAY, systemOf, turnBench } from '../../helpers/turns.ts';

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

describe('the receipt of a turn', () => {
  it('keeps a receipt that has everything that was sent, item by item', async () => {
    const answer = fakeLanguageModel(() => ({ text: 'Marta [1].' }));
    const bench = await turnBench(db, { answer });
    await bench.addFile('report.md', REPORT);
    await bench.say('Who owns the budget?');
    const receipt = await bench.service.getContext(bench.scope, 1);
    const sent = answer.requests[0];
    const everything = [
      systemOf(sent),
      JSON.stringify(sent?.tools),
      ...(sent?.messages ?? []).flatMap(({ content }) =>
        content.map((part) => ('text' in part ? part.text : '')),
      ),
    ].join('');
    for (const section of receipt?.sections ?? []) expect(everything).toContain(section.text);
    expect(receipt?.sections.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(receipt?.tokens);
    const documents = receipt?.sections.find(({ name }) => name === 'retrieved_documents');
    expect(documents?.items[0]).toMatchObject({ marker: 1, filename: 'report.md', narrowed: false });
    expect(receipt).toMatchObject({
      object: 'turn_context',
      turn_number: 1,
      retrieval: { documents: 'hybrid', turns: null, embedding_model: 'fake' },
      models: { router: 'fake-model', answer: 'fake-model' },
      citations: { resolved: 1, removed: 0 },
    });
    expect(Object.keys(receipt?.timings_ms ?? {})).toEqual(
      expect.arrayContaining(['route', 'retrieve', 'assemble', 'first_token', 'answer', 'total']),
    );
  });

  it('says how its search and its routing ran side by side, and what became of the search', async () => {
    const state = emptyState();
    state.routing.active_probe = 'root-cause-depth';
    const routes = [
      routeReply(),
      routeReply({ next_probe: 'stakeholder-mapping' }),
      routeReply({ requires_retrieval: false, next_probe: 'stakeholder-mapping' }),
    ];
    const router = fakeLanguageModel((_, call) => ({ text: routes[call] ?? routeReply() }));
    const bench = await turnBench(db, { router, state });
    for (const message of ['Why do they leave?', 'Marta decides.', 'Thanks.']) await bench.say(message);
    await (await bench.service.startTurn(bench.scope, { ...SAY, message: 'Hm.', retrieval: 'never' })).done;
    const receipts = await Promise.all([1, 2, 3, 4].map((n) => bench.service.getContext(bench.scope, n)));
    expect(receipts.map((receipt) => receipt?.speculation)).toEqual([
      expect.objectContaining({ probe: 'root-cause-depth', used: true, outcome: 'used' }),
      expect.objectContaining({ probe: 'root-cause-depth', used: false, outcome: 'other_probe' }),
      expect.objectContaining({ probe: 'stakeholder-mapping', used: false, outcome: 'not_needed' }),
      null,
    ]);
    const [used] = receipts;
    expect(used?.timings_ms.overlap).toBe(used?.speculation?.overlap_ms);
    expect(receipts[3]?.timings_ms).not.toHaveProperty('overlap');
  });

  it('shows a receipt of before the search and the end were told in it', async () => {
    const bench = await turnBench(db);
    await bench.say('Why?');
    await db.query(
      `update turns set receipt = receipt - '{speculation,stop_reason}'::text[] where project_id = $1`,
      [bench.scope.projectId],
    );
    expect(await bench.service.getContext(bench.scope, 1)).toMatchObject({
      speculation: null,
      stop_reason: null,
    });
  });
});

describe('a dry run', () => {
  it('shows the context and its price, stores nothing and leaves the large model alone', async () => {
    const answer = fakeLanguageModel(() => ({ text: 'Never said.' }), 'claude-sonnet-4-5');
    const bench = await turnBench(db, { answer });
    await bench.addFile('report.md', REPORT);
    await bench.say('Hello');
    const before = await db.query('select count(*)::int as n from turns');
    const state = await findProject(db, bench.scope);
    const dry = await bench.service.dryRun(bench.scope, { ...SAY, message: 'Who owns the budget?' });
    expect(dry).toMatchObject({ object: 'turn_context', dry_run: true, turn_number: 2, budget: 12_000 });
    expect(dry.sections.map(({ name }) => name)).toContain('retrieved_documents');
    expect(dry.prediction.input_tokens).toBe(dry.tokens);
    expect(dry.prediction.min_cost_usd).toBeCloseTo((dry.tokens * 3) / 1e6);
    expect(answer.requests).toHaveLength(1);
    expect((await db.query('select count(*)::int as n from turns')).rows).toEqual(before.rows);
    expect(await findProject(db, bench.scope)).toEqual(state);
  });
});
