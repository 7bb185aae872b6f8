import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyState } from '../../../src/contract/state.ts';
import type { Database } from '../../../src/db/database.ts';
import { findProject } from '../../../src/db/projects.ts';
import { EmbeddingError } from '../../../src/embeddings/model.ts';
import { ModelError } from '../../../src/llm/model.ts';
import { fakeLanguageModel, routeReply } from '../../fakes/language-model.ts';
import { openTestDatabase } from '../../helpers/database.ts';
import { REGISTER, REPORT, SAY, systemOf, turnBench } from '../../helpers/turns.ts';

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

describe('a turn', () => {
  it('routes, retrieves, answers with citations, changes the state and shows all of it', async () => {
    const answer = fakeLanguageModel((request, call) => {
      if (call === 0) return { text: 'Noted.', toolCalls: [REGISTER] };
      const index = /<document index="(\d)"[^>]*>[^<]*FORGE-417/.exec(systemOf(request))?.[1];
      return { text: `FORGE-417 tracks its approval [${index}]. Nobody said otherwise [9].` };
    });
    const bench = await turnBench(db, { answer });
    await bench.addFile('report.md', REPORT);
    const turn = await bench.say('What is FORGE-417?');

    expect(turn).toMatchObject({ turn_number: 1, status: 'completed', attempt: 1, model: 'fake-model' });
    expect(turn.response).toMatch(/^Noted\.\n\nFORGE-417 tracks .* \[\d\]\. Nobody said otherwise\.$/);
    const [citation] = turn.citations;
    expect(citation).toMatchObject({ marker: 1, filename: 'report.md', version: 1 });
    expect(citation?.quote).toBe('Ticket FORGE-417 tracks its approval.');
    expect(REPORT.slice(citation?.char_start, citation?.char_end)).toBe(citation?.quote);
    const { rows } = await db.query('select 1 from document_leaves where leaf_id = $1', [citation?.leaf_id]);
    expect(rows).toHaveLength(1);

    expect(turn.state_changes).toMatchObject([{ tool: 'register_assumption', applied: true, id: 'a1' }]);
    expect(turn.routing).toMatchObject({ next_probe: 'root-cause-depth', source: 'model' });
    expect(turn.usage?.by_phase).toMatchObject({ route: { calls: 1 }, answer: { calls: 2 } });
    expect(turn.context?.tokens).toBeLessThanOrEqual(12_000);
    const project = await findProject(db, bench.scope);
    expect(project?.state).toMatchObject({
      turn_count: 1,
      assumptions: [{ id: 'a1', source_turn: 1 }],
      routing: { active_probe: 'root-cause-depth', probes_fired: ['root-cause-depth'] },
    });
    expect(bench.logged).toEqual([]);
  });

  it('tells its story in order, with one terminal event', async () => {
    const bench = await turnBench(db);
    const turn = await bench.say('Sales never follow up.');
    const types = bench.events.map((event) => event.type);
    expect(types.filter((type, i) => type !== types[i - 1])).toEqual([
      'turn.created',
      'route.decided',
      'context.assembled',
      'answer.delta',
      'turn.completed',
    ]);
    expect(bench.events.at(-1)?.data).toMatchObject({
      object: 'turn',
      turn_number: 1,
      response: turn.response,
    });
  });

  it('says that its answer was cut off, in its row, its receipt and its last event', async () => {
    const answer = fakeLanguageModel((_, call) =>
      call === 0 ? { text: 'Marta owns the', stopReason: 'max_tokens' } : { text: 'Marta.' },
    );
    const bench = await turnBench(db, { answer });
    expect(await bench.say('Who owns it?')).toMatchObject({ stop_reason: 'max_tokens' });
    const end = { stop_reason: 'max_tokens', truncated: true, response: 'Marta owns the' };
    expect(bench.events.at(-1)).toMatchObject({ type: 'turn.completed', data: end });
    expect(await bench.service.getContext(bench.scope, 1)).toMatchObject({ stop_reason: 'max_tokens' });
    const { context } = await bench.service.getTurn(bench.scope, 1);
    expect(Object.keys(context ?? {}).sort()).toEqual(['budget', 'dropped', 'sections', 'tokens']);
    await bench.say('Who?');
    const { data } = await bench.service.listTurns(bench.scope, { limit: 10, order: 'asc' });
    expect(data.map(({ stop_reason }) => stop_reason)).toEqual(['max_tokens', 'end_turn']);
    expect(bench.events.at(-1)).toMatchObject({ data: { stop_reason: 'end_turn', truncated: false } });
  });

  it('looks nothing up for an acknowledgement, and has the smaller budget', async () => {
    const router = fakeLanguageModel(() => ({ text: routeReply({ requires_retrieval: false }) }));
    const bench = await turnBench(db, { router });
    await bench.addFile('report.md', REPORT);
    const turn = await bench.say('Sounds good, the budget it is.');
    const names = turn.context?.sections.map(({ name }) => name);
    expect(names).not.toContain('retrieved_documents');
    expect(turn.context?.budget).toBe(5_000);
  });

  it('goes on without a router, keeping the previous probe, and says so', async () => {
    const state = emptyState();
    state.routing.active_probe = 'stakeholder-mapping';
    const router = fakeLanguageModel(() => {
      throw new ModelError('down', { reason: 'unavailable' });
    });
    const bench = await turnBench(db, { router, state });
    const { routing, usage } = await bench.say('Hm.');
    expect(routing).toMatchObject({
      source: 'fallback',
      next_probe: 'stakeholder-mapping',
      requires_retrieval: true,
    });
    expect(usage?.by_phase.route).toBeUndefined();
  });

  it('goes by words alone when nothing can be embedded any more', async () => {
    let down = false;
    const bench = await turnBench(db, {
      embed: () => {
        if (down) throw new EmbeddingError('down', { retryable: true });
      },
    });
    await bench.addFile('report.md', REPORT);
    down = true;
    await bench.say('What is FORGE-417?');
    const receipt = await bench.service.getContext(bench.scope, 1);
    expect(receipt?.retrieval.documents).toBe('lexical_fallback');
    expect(receipt?.sections.find(({ name }) => name === 'retrieved_documents')?.text).toContain('FORGE-417');
  });

  it('opens a project without a message and without routing', async () => {
    const router = fakeLanguageModel(() => ({ text: routeReply() }));
    const answer = fakeLanguageModel(() => ({ text: 'Welcome.' }));
    const bench = await turnBench(db, { router, answer });
    const started = await bench.service.startTurn(bench.scope, { ...SAY, message: '', priming: true });
    const turn = await started.done;
    expect(turn).toMatchObject({
      status: 'completed',
      message: '',
      priming: true,
      routing: null,
      response: 'Welcome.',
    });
    expect(router.requests).toHaveLength(0);
    await bench.say('Hello');
    expect(answer.requests[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  });

  it('refuses an empty message, and one that cannot fit, before anything is recorded', async () => {
    const bench = await turnBench(db, {
      options: { budgets: { turn: 4_000, filler: 4_000, router: 2_000 } },
    });
    const start = (message: string) => bench.service.startTurn(bench.scope, { ...SAY, message });
    await expect(start(' \u0000')).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(start('word '.repeat(5_000))).rejects.toMatchObject({
      code: 'message_too_large',
      errors: [{ pointer: '/message' }],
    });
    expect(await bench.service.listTurns(bench.scope, { limit: 10, order: 'asc' })).toMatchObject({
      data: [],
    });
  });

  it('is unknown in a project that does not exist', async () => {
    const { service } = await turnBench(db);
    const nowhere = { workspaceId: 'default', projectId: 'nowhere' };
    await expect(service.startTurn(nowhere, { ...SAY, message: 'Hi' })).rejects.toMatchObject({
      code: 'project_not_found',
    });
    await expect(service.getTurn(nowhere, 1)).rejects.toMatchObject({ code: 'project_not_found' });
  });
});

describe('listTurns', () => {
  it('pages by number, in both directions', async () => {
    const bench = await turnBench(db);
    for (let n = 1; n <= 5; n++) await bench.say(`Message ${n}`);
    const page = async (request: {
      limit: number;
      order: 'asc' | 'desc';
      after?: string;
      before?: string;
    }) => {
      const {
        data,
        has_more: hasMore,
        last_id: lastId,
      } = await bench.service.listTurns(bench.scope, request);
      return { numbers: data.map(({ turn_number }) => turn_number), hasMore, lastId };
    };
    const first = await page({ limit: 2, order: 'desc' });
    expect(first).toMatchObject({ numbers: [5, 4], hasMore: true });
    expect(await page({ limit: 5, order: 'desc', after: first.lastId ?? '' })).toMatchObject({
      numbers: [3, 2, 1],
      hasMore: false,
    });
    expect(await page({ limit: 5, order: 'asc', before: first.lastId ?? '' })).toMatchObject({
      numbers: [1, 2, 3],
    });
    await expect(page({ limit: 5, order: 'asc', after: 'x' })).rejects.toMatchObject({
      code: 'invalid_cursor',
    });
  });
});
