import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isAnswering, startKeyedApp } from '../helpers/keyed-app.ts';

type Answer = Parameters<typeof startKeyedApp>[0];

let app: Awaited<ReturnType<typeof startKeyedApp>>;
let answer: Answer = () => ({ text: '?' });
let firstAnswer = 0;
let projects = 0;
beforeAll(async () => {
  app = await startKeyedApp((request, index) => answer(request, index - firstAnswer));
});
afterAll(() => app.close());

/** A project of its own, whose answers come from `script`. */
async function start(script: Answer) {
  const { forge, anthropic } = app;
  const project = `accounts-${++projects}`;
  const sent = anthropic.requests.length;
  await forge.call('POST', '/projects', { id: project, name: 'P' });
  answer = script;
  firstAnswer = anthropic.requests.filter(isAnswering).length;
  return {
    forge,
    url: `/projects/${project}`,
    upload: (name: string, text: string) => forge.upload(project, { [name]: text }),
    say: (message: string, options: object = {}) =>
      forge.call('POST', `/projects/${project}/turns`, { message, ...options }),
    /** The requests to the provider since the project was made. */
    requests: () => anthropic.requests.slice(sent),
  };
}

const REGISTER = {
  name: 'register_assumption',
  input: { statement: 'Dana can approve alone', confidence: 'guessed', impact: 'high' },
};
const sections = Array.from(
  { length: 8 },
  (_, i) =>
    `## Budget of team ${i}\n\n${`Team ${i} has a budget that Dana decides on every quarter. `.repeat(60)}`,
);
const LONG_FILE = `# Budgets\n\n${sections.join('\n\n')}\n`;

describe('the usage of a project', () => {
  it('adds up routes, answers, summaries and embeddings, by phase and by model', async () => {
    const {
      forge,
      say,
      url: project,
      upload,
    } = await start((_request, index) =>
      index === 0 ? { toolCalls: [REGISTER] } : { text: 'Who else decides?' },
    );
    const url = `${project}/usage`;
    expect((await forge.call('GET', url)).body).toMatchObject({
      object: 'project_usage',
      total: { calls: 0, cost_usd: 0 },
      entries: [],
    });
    await upload('budgets.md', LONG_FILE);
    const first = (await say('Who decides on the budget?')).body;
    // its summary is embedded before the next one is written
    await forge.settle();
    const turns = [first, (await say('And who else?')).body];
    await forge.settle();
    const phases = () =>
      forge
        .call('GET', url)
        .then(({ body }) =>
          Object.fromEntries(body.by_phase.map((each: { phase: string }) => [each.phase, each])),
        );
    const byPhase = await phases();
    expect(byPhase).toMatchObject({
      route: { calls: 2 },
      answer: { calls: 3 },
      summary: { calls: 2 },
      file_summary: { calls: 1 },
      embed_files: { calls: 1 },
      // the fake's two summaries are the same text: one is embedded
      embed_turns: { calls: 1 },
    });
    const sum = (name: string) => turns.reduce((total, turn) => total + turn.usage.by_phase.answer[name], 0);
    expect(byPhase.answer.input_tokens).toBe(sum('input_tokens'));
    expect(byPhase.answer.cached_tokens).toBe(sum('cached_tokens'));
    expect(byPhase.answer.cached_tokens).toBeGreaterThan(0);
    expect(byPhase.answer.cost_usd).toBeCloseTo(sum('cost_usd'), 5);
    expect(byPhase.embed_files.input_tokens).toBeGreaterThan(0);

    const { body } = await forge.call('GET', url);
    expect(body.by_model.map((each: { model: string }) => each.model).sort()).toEqual([
      'claude-haiku-5-5',
      'claude-sonnet-5-5',
      'voyage-3.5-lite',
    ]);
    const parts = body.by_model.reduce(
      (total: number, each: { cost_usd: number }) => total + each.cost_usd,
      0,
    );
    expect(body.total.cost_usd).toBeCloseTo(parts, 5);
    expect((await forge.call('GET', '/projects/none/usage')).status).toBe(404);

    // the same from a day on
    const all = (await forge.call('GET', url)).body;
    const since = async (day: string) => (await forge.call('GET', `${url}?since=${day}`)).body;
    expect(await since('2020-01-01')).toEqual(all);
    expect((await since('2999-01-01')).entries).toEqual([]);
    await forge.db.query("update turns set completed_at = now() - interval '3 days'");
    await forge.db.query('update usage_totals set day = day - 2');
    const from = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
    expect((await since(from(1))).entries).toEqual([]);
    const left = (await since(from(2))).entries.map(({ phase }: { phase: string }) => phase);
    expect(left).not.toContain('answer');
    expect(left.length).toBeGreaterThan(0);
    expect(await since(from(3))).toEqual(all);
    expect((await forge.call('GET', `${url}?since=yesterday`)).body.errors[0].pointer).toBe('since');
  });
});

describe('limits on a turn', () => {
  const answersThrice = (_request: unknown, index: number) =>
    index < 2 ? { text: 'Noted.', toolCalls: [REGISTER] } : { text: 'Dana decides.' };

  it('are refused before anything is recorded, naming the field, when nothing fits them', async () => {
    const { forge, say, url, requests } = await start(() => ({ text: 'x' }));
    for (const [limits, pointer] of [
      [{ max_input_tokens: 900 }, '/limits/max_input_tokens'],
      [{ max_cost_usd: 0.000_1 }, '/limits/max_cost_usd'],
    ] as const) {
      const { status, body } = await say('Who decides?', { limits });
      expect(status).toBe(422);
      expect(body).toMatchObject({ code: 'limits_too_low', errors: [{ pointer }] });
    }
    const { status, body } = await say('Who decides?', { limits: { max_tool_rounds: 0 } });
    expect([status, body.errors[0].pointer]).toEqual([400, '/limits/max_tool_rounds']);
    expect((await forge.call('GET', `${url}/turns`)).body.data).toEqual([]);
    expect(requests()).toEqual([]);
  });

  it('make the prompt smaller, and turn and receipt say what that left out', async () => {
    const { forge, say, url, upload, requests } = await start(() => ({ text: 'Dana decides [1].' }));
    await upload('budgets.md', LONG_FILE);
    const full = (await say('Who decides on the budget of team 3?')).body;
    const { body } = await say('Who decides on the budget of team 3?', {
      limits: { max_input_tokens: 4_500 },
    });
    expect(full.limits_applied).toEqual([]);
    expect(body.context.tokens).toBeLessThan(4_500);
    expect(body.usage.by_phase.answer.input_tokens).toBeLessThan(4_500);
    expect(body.limits_applied.map((each: { setting: string }) => each.setting)).toEqual([
      'budget',
      'documents',
    ]);
    const receipt = (await forge.call('GET', `${url}/turns/2/context`)).body;
    expect(receipt.limits_applied).toEqual(body.limits_applied);
    expect(receipt.token_factor).toBeGreaterThan(0);
    expect(receipt.dropped.length).toBeGreaterThan(0);
    expect(requests().filter(isAnswering)).toHaveLength(2);
  });

  it('make the rounds fewer', async () => {
    const { say, requests } = await start(answersThrice);
    const { body } = await say('Who decides?', { limits: { max_tool_rounds: 2 } });
    expect(body.status).toBe('completed');
    expect(body.usage.by_phase.answer.calls).toBe(2);
    expect(body.limits_applied).toEqual([
      { limit: 'max_tool_rounds', setting: 'tool_rounds', from: 4, to: 2 },
    ]);
    expect(requests().filter(isAnswering).at(-1)?.tool_choice).toEqual({ type: 'none' });
  });

  it.each([0.03, 0.05, 0.08])(
    'keep the cost of the whole turn under %f USD, summary included',
    async (cost) => {
      const { forge, say, url, upload } = await start(answersThrice);
      await upload('budgets.md', LONG_FILE);
      const { status, body } = await say('Who decides on the budget?', { limits: { max_cost_usd: cost } });
      expect(status).toBe(201);
      expect(body.limits_applied.length).toBeGreaterThan(0);
      await expect
        .poll(
          async () =>
            (await forge.call('POST', `${url}/search`, { query: 'Dana', kinds: ['turns'], min_score: 0 }))
              .body.data,
        )
        .toHaveLength(1);
      const { usage } = (await forge.call('GET', `${url}/turns/1`)).body;
      expect(usage.cost_usd).toBeLessThanOrEqual(cost);
    },
  );

  it('hold for a retry too, and for a dry run', async () => {
    let broken = true;
    const { forge, say, url } = await start(() => (broken ? { status: 400 } : { text: 'Here.' }));
    const limits = { max_tool_rounds: 1 };
    const dry = await say('Who decides?', { limits: { max_cost_usd: 0.06 }, dry_run: true });
    expect(dry.body.prediction.max_cost_usd).toBeLessThanOrEqual(0.06);
    expect((await say('Who decides?', { limits })).status).toBe(502);
    broken = false;
    const { body } = await forge.call('POST', `${url}/turns/1/retry`);
    expect(body.limits_applied).toMatchObject([{ setting: 'tool_rounds', to: 1 }]);
  });
});
