import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyState } from '../../../src/contract/state.ts';
import { findUnsummarised, saveConversationSummary } from '../../../src/db/conversation-summary.ts';
import type { Database } from '../../../src/db/database.ts';
import { findProject } from '../../../src/db/projects.ts';
import { type GenerateRequest, ModelError } from '../../../src/llm/model.ts';
import { fakeLanguageModel, routeReply } from '../../fakes/language-model.ts';
import { openTestDatabase } from '../../helpers/database.ts';
import { gate } from '../../helpers/gate.ts';
import { SAY, turnBench, userSideOf } from '../../helpers/turns.ts';

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

type Bench = Awaited<ReturnType<typeof turnBench>>;

const isCondensing = ({ facts }: GenerateRequest): boolean =>
  facts.task === 'summarise' && facts.kind === 'conversation';

/** A small model whose summaries of the conversation are numbered; what they were made from. */
function condenser(write: (call: number) => string | Promise<string> = (call) => `Condensed ${call}.`) {
  const requests: string[] = [];
  const model = fakeLanguageModel(async (request) => {
    if (!isCondensing(request)) return { text: 'Summary of a turn.' };
    requests.push(userSideOf(request));
    return { text: await write(requests.length) };
  });
  return { model, requests };
}

const summaryOf = async (bench: Bench): Promise<string> =>
  (await findProject(db, bench.scope))?.state.routing.conversation_summary ?? '';

const remember = (bench: Bench, turn: number) =>
  bench.service.summariseHandler.run(
    { ...bench.scope, subject: String(turn) } as never,
    new AbortController().signal,
  );

async function sayAll(bench: Bench, messages: readonly string[]): Promise<void> {
  for (const message of messages) {
    await bench.say(message);
    await bench.runJobs();
  }
}

const numbered = (count: number): string[] => Array.from({ length: count }, (_, at) => `Message ${at + 1}.`);

describe('the summary of the conversation', () => {
  it('is made of the last one and what has left the window since, and is what the next prompts carry', async () => {
    const { model, requests } = condenser();
    const answer = fakeLanguageModel((_, call) => ({ text: `Reply ${call + 1}.` }));
    const router = fakeLanguageModel(() => ({ text: routeReply() }));
    const bench = await turnBench(db, { summary: model, answer, router });
    await sayAll(bench, numbered(3));
    expect(requests).toEqual([]);
    await sayAll(bench, ['Message 4.', 'Message 5.']);
    expect(requests).toHaveLength(2);
    expect(requests[0]).toContain('There is none yet');
    expect(requests[0]).toMatch(/Message 1\.\nCopilot: Reply 1\./);
    expect(requests[0]).not.toContain('Message 2.');
    expect(requests[1]).toContain('Condensed 1.');
    expect(requests[1]).toMatch(/Message 2\.\nCopilot: Reply 2\./);
    expect(requests[1]).not.toMatch(/Message [1345]\./);
    // never a list of those before
    expect(await summaryOf(bench)).toBe('Condensed 2.');
    await bench.say('Message 6.');
    const prompt = userSideOf(answer.requests.at(-1));
    expect(prompt).toContain('The conversation so far:\nCondensed 2.');
    expect(prompt).not.toContain('Condensed 1.');
    expect(userSideOf(router.requests.at(-1))).toContain('<conversation_summary>\nCondensed 2.\n');
  });

  it('passes over acknowledgements and turns in which nothing was said, without a call', async () => {
    const { model, requests } = condenser();
    const router = fakeLanguageModel((request) => ({
      text: routeReply({ requires_retrieval: !userSideOf(request).includes('<message>\nok') }),
    }));
    const bench = await turnBench(db, { summary: model, router });
    await sayAll(bench, ['ok 1', 'ok 2', 'Message 3.', 'ok 4', 'Message 5.']);
    expect(requests).toEqual([]);
    expect(await findUnsummarised(db, bench.scope, { window: 3, limit: 9 })).toMatchObject({ through: 2 });
    await sayAll(bench, ['Message 6.', 'Message 7.']);
    expect(requests).toHaveLength(1);
    expect(requests[0]).toContain('Message 3.');
    await sayAll(bench, ['Message 8.']);
    expect(requests).toHaveLength(2);
    expect(requests[1]).not.toContain('ok 4');
  });

  it('is not replaced by an older one', async () => {
    const { open, opened } = gate();
    const asked = gate();
    const { model } = condenser(async (call) => {
      if (call === 1) {
        asked.open();
        await opened;
      }
      return `Condensed ${call}.`;
    });
    const bench = await turnBench(db, { summary: model });
    for (const message of numbered(4)) await bench.say(message);
    const late = remember(bench, 4);
    await asked.opened;
    await bench.say('Message 5.');
    await remember(bench, 5);
    expect(await summaryOf(bench)).toBe('Condensed 2.');
    open();
    await late;
    expect(await summaryOf(bench)).toBe('Condensed 2.');
    expect(await saveConversationSummary(db, bench.scope, { summary: 'Old.', from: 0, through: 1 })).toBe(
      false,
    );
    // both calls are paid for
    const calls = async (turn: number) =>
      (await bench.service.getTurn(bench.scope, turn)).usage?.by_phase.summary?.calls ?? 0;
    expect((await calls(1)) + (await calls(2))).toBe(2);
  });

  it('is made once, whatever is repeated', async () => {
    const { model, requests } = condenser();
    const bench = await turnBench(db, { summary: model });
    await sayAll(bench, numbered(4));
    await remember(bench, 4);
    await remember(bench, 1);
    expect(requests).toHaveLength(1);
    expect((await bench.service.getTurn(bench.scope, 1)).usage?.by_phase.summary).toMatchObject({ calls: 2 });
    expect((await bench.service.getTurn(bench.scope, 4)).usage?.by_phase.summary).toMatchObject({ calls: 1 });
  });

  it('loses nothing when the process ends between turn and job', async () => {
    const { model, requests } = condenser();
    const bench = await turnBench(db, { summary: model });
    for (const message of numbered(9)) await bench.say(message);
    // the jobs were stored with the turns: another process runs them, in any order
    await remember(bench, 9);
    expect(requests).toHaveLength(1);
    for (let turn = 1; turn <= 6; turn++) expect(requests[0]).toContain(`Message ${turn}.`);
    expect(requests[0]).not.toContain('Message 7.');
    expect(await bench.runJobs()).toBe(9);
    expect(requests).toHaveLength(1);
  });

  it.each([
    [
      'fails',
      () => {
        throw new ModelError('down', { reason: 'unavailable' });
      },
    ],
    ['refuses', () => ({ text: 'No.', stopReason: 'refusal' as const })],
    ['says nothing', () => ({ text: ' ' })],
  ])('is an extract when the model %s', async (_, script) => {
    const summary = fakeLanguageModel((request) => (isCondensing(request) ? script() : { text: 'A turn.' }));
    const bench = await turnBench(db, { summary });
    await sayAll(bench, ['Marta Ruiz owns 250 k EUR. Thanks a lot.', ...numbered(3)]);
    expect(await summaryOf(bench)).toBe('Turn 1: Marta Ruiz owns 250 k EUR.');
    await sayAll(bench, ['Message 5.']);
    expect(await summaryOf(bench)).toBe('Turn 1: Marta Ruiz owns 250 k EUR.\nTurn 2: Message 1.');
  });

  it('is an extract when the turn that left may not cost a call, and the turn says so', async () => {
    const small = condenser().model;
    const summary = { ...small, id: 'claude-haiku-5-5' };
    const haiku = fakeLanguageModel(() => ({ text: routeReply() }), 'claude-haiku-5-5');
    const answer = fakeLanguageModel(() => ({ text: 'Noted.' }), 'claude-sonnet-5-5');
    const bench = await turnBench(db, { summary, router: haiku, answer });
    const say = async (message: string, max_cost_usd?: number) => {
      const limits = max_cost_usd === undefined ? {} : { limits: { max_cost_usd } };
      await (await bench.service.startTurn(bench.scope, { ...SAY, message, ...limits })).done;
      await bench.runJobs();
    };
    await say('Marta Ruiz owns 250 k EUR.', 0.05);
    await db.query(
      `update turns set options = jsonb_set(options, '{limits,max_cost_usd}', '0.001') where project_id = $1`,
      [bench.scope.projectId],
    );
    for (const message of numbered(3)) await say(message);
    expect(small.requests.filter(isCondensing)).toEqual([]);
    expect(await summaryOf(bench)).toBe('Turn 1: Marta Ruiz owns 250 k EUR.');
    const { limits_applied } = await bench.service.getTurn(bench.scope, 1);
    expect(limits_applied.filter(({ setting }) => setting === 'summary')).toHaveLength(1);
  });

  it('has what was said in turns that failed, and waits for one that is tried again', async () => {
    const { model, requests } = condenser();
    const { open, opened } = gate();
    const answer = fakeLanguageModel(async (_, call) => {
      if (call === 1) throw new ModelError('overloaded', { reason: 'unavailable' });
      if (call === 5) await opened;
      return { text: `Reply ${call + 1}.` };
    });
    const bench = await turnBench(db, { summary: model, answer });
    await bench.say('Message 1.');
    await expect(bench.say('Message 2.')).rejects.toMatchObject({ code: 'model_unavailable' });
    for (const turn of [3, 4, 5]) await bench.say(`Message ${turn}.`);
    const retried = await bench.service.retryTurn(bench.scope, 2);
    await remember(bench, 5);
    expect(requests).toHaveLength(1);
    expect(requests[0]).not.toContain('Message 2.');
    open();
    await retried.done;
    await remember(bench, 2);
    expect(requests).toHaveLength(2);
    expect(requests[1]).toMatch(/Message 2\.\nCopilot: Reply 6\./);
    expect((await findProject(db, bench.scope))?.state).toMatchObject({
      turn_count: 5,
      routing: { conversation_summary: 'Condensed 2.' },
    });
  });

  it('begins anew where an older release left a list of turns', async () => {
    const { model, requests } = condenser();
    const { routing, ...state } = emptyState();
    const bench = await turnBench(db, {
      summary: model,
      state: { ...state, routing: { ...routing, conversation_summary: 'Turn 1: A list.' } },
    });
    for (const message of numbered(4)) await bench.say(message);
    await remember(bench, 4);
    expect(requests[0]).not.toContain('A list.');
    expect(await summaryOf(bench)).toBe('Condensed 1.');
  });
});
