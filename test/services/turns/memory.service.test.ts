import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyState } from '../../../src/contract/state.ts';
import type { Database } from '../../../src/db/database.ts';
import { findProject } from '../../../src/db/projects.ts';
import { ModelError } from '../../../src/llm/model.ts';
import { fakeLanguageModel } from '../../fakes/language-model.ts';
import { openTestDatabase } from '../../helpers/database.ts';
import { gate } from '../../helpers/gate.ts';
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
    expect(usage?.by_phase.summary).toMatchObject({ calls: 1, input_tokens: 100 });
    const queries = usage?.by_phase.embed_queries?.input_tokens ?? 0;
    expect(usage?.input_tokens).toBe(300 + queries);
  });
});
