import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyState } from '../../../src/contract/state.ts';
import type { Database } from '../../../src/db/database.ts';
import { findProject, saveState } from '../../../src/db/projects.ts';
import { EmbeddingError } from '../../../src/embeddings/model.ts';
import { ModelError } from '../../../src/llm/model.ts';
import { fakeLanguageModel, routeReply } from '../../fakes/language-model.ts';
import { openTestDatabase } from '../../helpers/database.ts';
import { SAY, turnBench } from '../../helpers/turns.ts';

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

const REPORT = `# Findings

Revenue from enterprise customers fell by 12 % in the third quarter.

# Budget

Marta Ruiz owns the budget up to 250 k EUR. Ticket FORGE-417 tracks its approval.
`;

const REGISTER = {
  name: 'register_assumption',
  input: { statement: 'Sales will use it', confidence: 'guessed', impact: 'high' },
};

/** Something to wait for, opened by hand. */
function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

const systemOf = (request: { system: { text: string }[] } | undefined) =>
  request?.system.map(({ text }) => text).join('') ?? '';

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
    const project = await findProject(db, bench.scope);
    expect(project?.state.routing.conversation_summary).toContain('Turn 5: Summary of call 4.');
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

  it('loses no summary of the conversation to one that comes late', async () => {
    const { open, opened } = gate();
    const summary = fakeLanguageModel(async (request) => {
      const text = JSON.stringify(request.messages);
      if (text.includes('Slow one')) await opened;
      return { text: /(\w+) one/.exec(text)?.[0] ?? '' };
    });
    const bench = await turnBench(db, { summary });
    const summarise = (subject: string) =>
      bench.service.summariseHandler.run({ ...bench.scope, subject } as never, new AbortController().signal);
    const summed = async () =>
      (await findProject(db, bench.scope))?.state.routing.conversation_summary.split('\n');
    await bench.say('Slow one.');
    const late = summarise('1');
    await bench.say('Quick one.');
    await summarise('2');
    await bench.say('Third one.');
    expect(await summed()).toEqual(['Turn 2: Quick one']);
    open();
    await late;
    expect(await summed()).toEqual(['Turn 2: Quick one']);
    await bench.say('Fourth one.');
    expect(await summed()).toEqual(['Turn 1: Slow one', 'Turn 2: Quick one']);
  });

  it('sums up all of the conversation after an earlier turn was retried', async () => {
    const answer = fakeLanguageModel((_, call) => {
      if (call === 1) throw new ModelError('overloaded', { reason: 'unavailable' });
      return { text: 'Noted.' };
    });
    const bench = await turnBench(db, { answer });
    await bench.say('First.');
    await expect(bench.say('Second.')).rejects.toMatchObject({ code: 'model_unavailable' });
    await bench.say('Third.');
    await bench.runJobs();
    await (await bench.service.retryTurn(bench.scope, 2)).done;
    const { routing, turn_count } = (await findProject(db, bench.scope))?.state ?? emptyState();
    expect(routing.conversation_summary.match(/Turn \d/g)).toEqual(['Turn 1', 'Turn 3']);
    expect(turn_count).toBe(3);
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
    expect(usage).toMatchObject({
      input_tokens: 300,
      by_phase: { summary: { calls: 1, input_tokens: 100 } },
    });
  });
});

describe('one turn at a time', () => {
  it('refuses a second turn with the address of the running one', async () => {
    const { open, opened } = gate();
    const answer = fakeLanguageModel(() => opened.then(() => ({ text: 'Done.' })));
    const bench = await turnBench(db, { answer });
    const results = await Promise.allSettled([
      bench.service.startTurn(bench.scope, { ...SAY, message: 'First' }),
      bench.service.startTurn(bench.scope, { ...SAY, message: 'Second' }),
    ]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const refused = results.find((result) => result.status === 'rejected');
    expect(refused?.reason).toMatchObject({
      code: 'turn_in_progress',
      extra: { running_turn: `/projects/${bench.scope.projectId}/turns/1` },
    });
    open();
    const started = results.find((result) => result.status === 'fulfilled');
    expect(await started?.value.done).toMatchObject({ status: 'completed', turn_number: 1 });
    expect(await bench.say('Third')).toMatchObject({ turn_number: 2 });
  });

  it('takes a turn whose worker is gone for interrupted, and lets it be retried', async () => {
    const bench = await turnBench(db);
    await db.query(
      `insert into turns (workspace_id, project_id, turn_number, status, message, locked_by, locked_until)
       values ($1, $2, 1, 'in_progress', 'Lost?', 'dead', now() - interval '1 second')`,
      [bench.scope.workspaceId, bench.scope.projectId],
    );
    expect(await bench.say('Next')).toMatchObject({ turn_number: 2, status: 'completed' });
    const lost = await bench.service.getTurn(bench.scope, 1);
    expect(lost).toMatchObject({
      status: 'failed',
      message: 'Lost?',
      error: { code: 'interrupted', retryable: true },
    });
    const retried = await (await bench.service.retryTurn(bench.scope, 1)).done;
    expect(retried).toMatchObject({
      turn_number: 1,
      status: 'completed',
      attempt: 2,
      message: 'Lost?',
      error: null,
    });
  });

  it('shows an expired turn as failed to whoever looks', async () => {
    const bench = await turnBench(db);
    await db.query(
      `insert into turns (workspace_id, project_id, turn_number, status, message, locked_by, locked_until)
       values ($1, $2, 1, 'in_progress', 'Lost?', 'dead', now() - interval '1 second')`,
      [bench.scope.workspaceId, bench.scope.projectId],
    );
    const { data } = await bench.service.listTurns(bench.scope, { limit: 10, order: 'desc' });
    expect(data).toMatchObject([{ turn_number: 1, status: 'failed' }]);
  });

  it('stops, without a trace in the state, when its turn was taken from it', async () => {
    const { open, opened } = gate();
    const answer = fakeLanguageModel(() => opened.then(() => ({ text: 'Too late.', toolCalls: [] })));
    const bench = await turnBench(db, { answer });
    const { done } = await bench.service.startTurn(bench.scope, { ...SAY, message: 'Hi' });
    await db.query(`update turns set locked_by = 'other', attempt = 2 where project_id = $1`, [
      bench.scope.projectId,
    ]);
    open();
    await expect(done).rejects.toMatchObject({ extra: { turn_number: 1 } });
    const turn = await bench.service.getTurn(bench.scope, 1);
    expect(turn).toMatchObject({ status: 'in_progress', response: null });
    expect((await findProject(db, bench.scope))?.state.turn_count).toBe(0);
    expect(bench.events.some(({ type }) => type === 'turn.failed' || type === 'turn.completed')).toBe(false);
  });
});

describe('the state', () => {
  it('takes the changes of a turn on top of what a client changed meanwhile', async () => {
    const { open, opened } = gate();
    const answer = fakeLanguageModel(async (_, call) => {
      if (call > 0) return { text: 'Noted.' };
      await opened;
      return {
        toolCalls: [
          REGISTER,
          {
            name: 'register_assumption',
            input: { ...REGISTER.input, statement: 'It is cheap', depends_on: ['a1'] },
          },
          { name: 'update_assumption', input: { id: 'a1', confidence: 'informed' } },
        ],
      };
    });
    const bench = await turnBench(db, { answer });
    const { done } = await bench.service.startTurn(bench.scope, { ...SAY, message: 'Hi' });
    const mine = {
      id: 'a1',
      statement: 'Written by a client',
      confidence: 'validated' as const,
      impact: 'low' as const,
      status: 'active' as const,
      depends_on: [],
      source_turn: null,
      evidence: [],
      sources: [],
      stale: [],
    };
    await db.transaction((tx) =>
      saveState(tx, bench.scope, { ...emptyState(), org_context: 'New', assumptions: [mine] }),
    );
    open();
    const turn = await done;
    const state = (await findProject(db, bench.scope))?.state;
    expect(state?.org_context).toBe('New');
    expect(state?.assumptions).toMatchObject([
      mine,
      { id: 'a2', statement: 'Sales will use it', confidence: 'informed' },
      { id: 'a3', statement: 'It is cheap', depends_on: ['a2'] },
    ]);
    expect(turn.state_changes).toMatchObject([
      { id: 'a2' },
      { id: 'a3' },
      { id: 'a2', confidence: 'informed' },
    ]);
  });

  it('records a change that can no longer be made', async () => {
    const { open, opened } = gate();
    const before = { ...emptyState() };
    before.assumptions = [
      {
        id: 'a1',
        statement: 'It holds',
        confidence: 'guessed',
        impact: 'high',
        status: 'active',
        depends_on: [],
        source_turn: null,
        evidence: [],
        sources: [],
        stale: [],
      },
    ];
    const answer = fakeLanguageModel(async (_, call) => {
      if (call > 0) return { text: 'Gone.' };
      await opened;
      return { toolCalls: [{ name: 'update_assumption', input: { id: 'a1', status: 'invalidated' } }] };
    });
    const bench = await turnBench(db, { answer, state: before });
    const { done } = await bench.service.startTurn(bench.scope, { ...SAY, message: 'Hi' });
    await db.transaction((tx) => saveState(tx, bench.scope, emptyState()));
    open();
    expect((await done).state_changes).toMatchObject([{ tool: 'update_assumption', applied: false }]);
  });

  it('changes the mode with the routing, and says so', async () => {
    const router = fakeLanguageModel(() => ({
      text: routeReply({
        active_mode: 'evaluation',
        action: 'switch_mode',
        next_probe: 'problem-solution-fit',
      }),
    }));
    const bench = await turnBench(db, { router });
    const turn = await bench.say('Judge our plan now.');
    expect(turn.state_changes).toEqual([
      { tool: 'switch_mode', applied: true, mode: 'evaluation', previous_mode: 'discovery' },
    ]);
    expect((await findProject(db, bench.scope))?.state.routing).toMatchObject({
      active_mode: 'evaluation',
      active_probe: 'problem-solution-fit',
    });
  });
});

describe('a turn that fails', () => {
  it('keeps the message and its receipt, changes nothing, and can be retried', async () => {
    let down = true;
    const answer = fakeLanguageModel((_, call) => {
      if (call === 0) return { text: 'Noted.', toolCalls: [REGISTER] };
      if (down) throw new ModelError('overloaded', { reason: 'unavailable', retryAfterSeconds: 7 });
      return { text: 'Better.' };
    });
    const bench = await turnBench(db, { answer });
    await expect(bench.say('Why?')).rejects.toMatchObject({
      code: 'model_unavailable',
      retryAfterSeconds: 7,
      extra: { turn_number: 1 },
    });
    const failed = await bench.service.getTurn(bench.scope, 1);
    expect(failed).toMatchObject({
      status: 'failed',
      message: 'Why?',
      response: null,
      error: { code: 'model_unavailable', retryable: true },
      usage: { by_phase: { answer: { calls: 1 } } },
    });
    expect(await bench.service.getContext(bench.scope, 1)).toMatchObject({ turn_number: 1 });
    expect((await findProject(db, bench.scope))?.state).toEqual(emptyState());
    expect(bench.events.at(-1)).toMatchObject({ type: 'turn.failed', data: { status: 'failed' } });

    down = false;
    const retried = await (await bench.service.retryTurn(bench.scope, 1)).done;
    expect(retried).toMatchObject({ turn_number: 1, status: 'completed', attempt: 2, response: 'Better.' });
    expect(retried.usage?.by_phase.answer?.calls).toBe(2);
    await expect(bench.service.retryTurn(bench.scope, 1)).rejects.toMatchObject({
      code: 'turn_not_retryable',
    });
    await expect(bench.service.retryTurn(bench.scope, 9)).rejects.toMatchObject({ code: 'turn_not_found' });
  });

  it.each([
    ['a refusal', { stopReason: 'refusal' as const }, 'model_rejected', false],
    ['a bug', new TypeError('secret internals'), 'internal_error', true],
    ['a rejected request', new ModelError('no', { reason: 'rejected' }), 'model_rejected', false],
  ])('tells of %s without internals', async (_, reply, code, retryable) => {
    const answer = fakeLanguageModel(() => {
      if (reply instanceof Error) throw reply;
      return reply;
    });
    const bench = await turnBench(db, { answer });
    await expect(bench.say('Why?')).rejects.toMatchObject({ code });
    const { error } = await bench.service.getTurn(bench.scope, 1);
    expect(error).toMatchObject({ code, retryable });
    expect(JSON.stringify(error)).not.toContain('secret');
  });

  it('is over when it takes too long', async () => {
    const answer = fakeLanguageModel(() => new Promise(() => undefined));
    const bench = await turnBench(db, { answer, options: { turnTimeoutMs: 30 } });
    await expect(bench.say('Why?')).rejects.toMatchObject({ code: 'model_unavailable' });
  });

  it('tells its end even when its project was deleted meanwhile', async () => {
    const { open, opened } = gate();
    const answer = fakeLanguageModel(() => opened.then(() => ({ text: 'Hello?' })));
    const bench = await turnBench(db, { answer });
    const { done } = await bench.service.startTurn(bench.scope, { ...SAY, message: 'Hi' });
    await db.query('delete from projects where project_id = $1', [bench.scope.projectId]);
    open();
    await expect(done).rejects.toMatchObject({ code: 'project_not_found' });
    expect(bench.events.at(-1)).toMatchObject({ type: 'turn.failed', data: { turn_number: 1 } });
  });
});

describe('cancelling', () => {
  it('stops a turn that runs here and keeps what it had said', async () => {
    const { open, opened } = gate();
    const answer = fakeLanguageModel((request, call) => {
      if (call > 0) return { text: 'Here.' };
      request.onText?.('Let me think');
      open();
      return new Promise(() => undefined);
    });
    const bench = await turnBench(db, { answer });
    const { done } = await bench.service.startTurn(bench.scope, { ...SAY, message: 'Hi' });
    await opened;
    const cancelled = await bench.service.cancelTurn(bench.scope, 1);
    expect(cancelled).toMatchObject({ status: 'cancelled', response: 'Let me think', error: null });
    expect(await done).toMatchObject({ status: 'cancelled' });
    expect(bench.events.at(-1)?.type).toBe('turn.cancelled');
    expect(await bench.service.cancelTurn(bench.scope, 1)).toMatchObject({ status: 'cancelled' });
    expect(await bench.say('Again')).toMatchObject({ turn_number: 2, status: 'completed' });
  });

  it('stops a turn that runs in another process', async () => {
    const { open, opened } = gate();
    const answer = fakeLanguageModel((request) => {
      request.onText?.('So far');
      return opened.then(() => ({ text: 'and more' }));
    });
    const bench = await turnBench(db, { answer });
    const { done } = await bench.service.startTurn(bench.scope, { ...SAY, message: 'Hi' });
    const { service: other } = await turnBench(db);
    expect(await other.cancelTurn(bench.scope, 1)).toMatchObject({ status: 'cancelled' });
    open();
    expect(await done).toMatchObject({ status: 'cancelled', response: expect.stringContaining('So far') });
    expect((await findProject(db, bench.scope))?.state.turn_count).toBe(0);
  });

  it('keeps of a turn that is cancelled elsewhere what was stored of it, or more where its worker has more', async () => {
    const { open, opened } = gate();
    const answer = fakeLanguageModel((request) => {
      request.onText?.('So far, and more');
      return opened.then(() => ({ text: '.' }));
    });
    const bench = await turnBench(db, { answer });
    const { done } = await bench.service.startTurn(bench.scope, { ...SAY, message: 'Hi' });
    const { workspaceId, projectId } = bench.scope;
    await db.query(
      `insert into turn_events (workspace_id, project_id, turn_number, seq, type, data)
       values ($1, $2, 1, 1, 'turn.created', '{}'), ($1, $2, 1, 3, 'answer.delta', '["So ", "far"]'),
         ($1, $2, 1, 4, 'answer.delta', '[", and"]')`,
      [workspaceId, projectId],
    );
    const { service: other } = await turnBench(db);
    expect(await other.cancelTurn(bench.scope, 1)).toMatchObject({
      status: 'cancelled',
      response: 'So far, and',
    });
    open();
    expect(await done).toMatchObject({ response: expect.stringMatching(/^So far, and more/) });
  });

  it.each([
    ['its heartbeat', { leaseSeconds: 0.9, watchMs: 600_000 }],
    ['looking, long before its next heartbeat', { leaseSeconds: 3_600, watchMs: 5 }],
  ])('finds out by %s that it was cancelled elsewhere', async (_, options) => {
    const answer = fakeLanguageModel(() => new Promise(() => undefined));
    const bench = await turnBench(db, { answer, options });
    const { done } = await bench.service.startTurn(bench.scope, { ...SAY, message: 'Hi' });
    const { service: other } = await turnBench(db);
    await other.cancelTurn(bench.scope, 1);
    expect(await done).toMatchObject({ status: 'cancelled' });
    expect(bench.events.at(-1)?.type).toBe('turn.cancelled');
  });

  it('interrupts turns that do not end while the process stops', async () => {
    const answer = fakeLanguageModel(() => new Promise(() => undefined));
    const bench = await turnBench(db, { answer });
    const { done } = await bench.service.startTurn(bench.scope, { ...SAY, message: 'Hi' });
    await Promise.all([
      expect(done).rejects.toMatchObject({ code: 'service_unavailable' }),
      bench.service.stop(0),
    ]);
    expect(await bench.service.getTurn(bench.scope, 1)).toMatchObject({
      status: 'failed',
      error: { code: 'interrupted', retryable: true },
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
