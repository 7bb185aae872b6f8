import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';

const REPORT = `# Findings

## Enterprise

Enterprise customers churn at 4.1 percent a quarter because onboarding takes eleven weeks. ${'Procurement adds three more weeks. '.repeat(20)}

## Self-serve

Self-serve customers leave when the invoice import FIN-2291 fails. ${'Support answers within a day. '.repeat(25)}
`;

let forge: TestApp;
let project: string;
let count = 0;
beforeAll(async () => {
  forge = await startTestApp();
});
afterAll(() => forge.close());
beforeEach(async () => {
  project = `turns-${++count}`;
  await forge.call('POST', '/projects', { id: project, name: 'Churn study' });
});

const url = (path = '') => `/projects/${project}/turns${path}`;
const say = (message: string, options = {}) => forge.call('POST', url(), { message, ...options });

describe('a turn without a key', () => {
  it('quotes the right section with a citation that resolves, and is named offline', async () => {
    await forge.upload(project, { 'report.md': REPORT });
    const { status, body, headers } = await say(
      'Why do enterprise customers churn, and how long is onboarding?',
    );
    expect(status).toBe(201);
    expect(headers.location).toBe(url('/1'));
    expect(body).toMatchObject({
      object: 'turn',
      turn_number: 1,
      status: 'completed',
      model: 'offline',
      error: null,
      routing: { requires_retrieval: true, active_mode: 'discovery', source: 'offline' },
    });
    expect(body.response).toContain('eleven weeks');
    expect(body.context.tokens).toBeLessThanOrEqual(body.context.budget);
    expect(body.usage.cost_usd).toBe(0);
    expect(body.citations.length).toBeGreaterThan(0);
    const { text } = await forge.call('GET', `/projects/${project}/files/report.md/markdown`);
    for (const citation of body.citations) {
      expect(citation.filename).toBe('report.md');
      expect(text.slice(citation.char_start, citation.char_end)).toBe(citation.quote);
    }
    // the summary is made afterwards, and counted then
    expect((await forge.call('GET', url('/1'))).body).toEqual({ ...body, usage: expect.anything() });
  });

  it('has a receipt of everything that was sent', async () => {
    await forge.upload(project, { 'report.md': REPORT });
    const turn = (await say('What happens when FIN-2291 fails?')).body;
    const { status, body } = await forge.call('GET', url('/1/context'));
    expect(status).toBe(200);
    expect(body).toMatchObject({
      object: 'turn_context',
      turn_number: 1,
      budget: 12_000,
      tokens: turn.context.tokens,
    });
    const documents = body.sections.find(
      (section: { name: string }) => section.name === 'retrieved_documents',
    );
    expect(documents.text).toContain('FIN-2291');
    expect(documents.items[0]).toMatchObject({ filename: 'report.md' });
    const sum = body.sections.reduce(
      (total: number, section: { tokens: number }) => total + section.tokens,
      0,
    );
    expect(sum).toBeLessThanOrEqual(body.tokens);
    expect(body.retrieval).toMatchObject({ documents: 'hybrid', embedding_model: forge.embeddingModel.id });
    expect(body.timings_ms.total).toBeGreaterThan(0);
  });

  it('retrieves nothing for a filler, and what the caller asks for otherwise', async () => {
    await forge.upload(project, { 'report.md': REPORT });
    const filler = (await say('sounds good')).body;
    expect(filler.routing.requires_retrieval).toBe(false);
    expect(filler.context.sections.map((section: { name: string }) => section.name)).not.toContain(
      'retrieved_documents',
    );
    const always = (await say('ok', { retrieval: 'always' })).body;
    expect(always.routing).toMatchObject({ requires_retrieval: true, source: 'override' });
    const never = (await say('What is the churn of enterprise customers?', { retrieval: 'never' })).body;
    expect(never.routing).toMatchObject({ requires_retrieval: false, source: 'override' });
    expect(never.citations).toEqual([]);
  });

  it('finds an exchange again that has left the window', async () => {
    await say('The codename of the pilot is Bluefinch, Priya runs it from Lisbon.');
    for (const message of ['ok', 'sounds good', 'next question', 'fine']) await say(message);
    await expect
      .poll(
        async () =>
          (await forge.call('POST', `/projects/${project}/search`, { query: 'Bluefinch', kinds: ['turns'] }))
            .body.data.length,
      )
      .toBeGreaterThan(0);
    await say('Who runs Bluefinch, and from where?');
    const { body } = await forge.call('GET', url('/6/context'));
    const recalled = body.sections.find((section: { name: string }) => section.name === 'retrieved_turns');
    expect(recalled.text).toContain('Turn 1');
    expect(recalled.text).toContain('Priya');
  });

  it('opens a project without a message', async () => {
    await forge.upload(project, { 'report.md': REPORT });
    const { status, body } = await forge.call('POST', url(), { priming: true });
    expect(status).toBe(201);
    expect(body).toMatchObject({ priming: true, routing: null, status: 'completed' });
    expect(body.response).toContain('report.md');
  });

  it('does everything but answer in a dry run, and stores nothing', async () => {
    await forge.upload(project, { 'report.md': REPORT });
    const { status, body } = await say('Why do enterprise customers churn?', { dry_run: true });
    expect(status).toBe(200);
    expect(body).toMatchObject({ object: 'turn_context', dry_run: true, prediction: { model: 'offline' } });
    expect(body.sections.map((section: { name: string }) => section.name)).toContain('retrieved_documents');
    expect((await forge.call('GET', url())).body.data).toEqual([]);
  });
});

describe('a message that cannot be taken', () => {
  it.each([
    [{ message: '' }, 400, 'invalid_request', '/message'],
    [{ message: '   ' }, 400, 'invalid_request', '/message'],
    [{}, 400, 'invalid_request', '/message'],
    [{ message: 'x'.repeat(32_001) }, 400, 'invalid_request', '/message'],
    [{ message: '面白い '.repeat(7_900) }, 422, 'message_too_large', '/message'],
    [{ message: 'x', retrieval: 'sometimes' }, 400, 'invalid_request', '/retrieval'],
  ])('is refused: %#', async (body, status, code, pointer) => {
    const answer = await forge.call('POST', url(), body);
    expect(answer.status).toBe(status);
    expect(answer.body.code).toBe(code);
    expect(answer.body.errors[0].pointer).toBe(pointer);
    expect((await forge.call('GET', url())).body.data).toEqual([]);
  });

  it.each(['/9', '/0', '/x', '/1e3', '/9/context', '/9999999999999'])('there is no turn %s', async (path) => {
    const { status, body } = await forge.call('GET', url(path));
    expect(status).toBe(404);
    expect(body.code).toBe('turn_not_found');
  });

  it('waits for no one: a second turn is told which one runs', async () => {
    const [first, second] = await Promise.all([say('The budget is 40k.'), say('And the deadline is March.')]);
    const [won, lost] = first.status === 201 ? [first, second] : [second, first];
    expect(won.status).toBe(201);
    expect(lost.status).toBe(409);
    expect(lost.headers).toHaveProperty('retry-after', '5');
    expect(lost.body).toMatchObject({ code: 'turn_in_progress', retryable: true, running_turn: url('/1') });
  });
});

it('lists the turns page by page', async () => {
  for (const message of ['one', 'two', 'three']) await say(message);
  const first = (await forge.call('GET', `${url()}?limit=2`)).body;
  expect(first.data.map((turn: { message: string }) => turn.message)).toEqual(['one', 'two']);
  const rest = (await forge.call('GET', `${url()}?limit=2&after=${first.last_id}`)).body;
  expect(rest.data.map((turn: { message: string }) => turn.message)).toEqual(['three']);
  expect(rest.has_more).toBe(false);
});

it('renders the artifacts from the state', async () => {
  await forge.call('PATCH', `/projects/${project}/state`, {
    skeleton: { problem_statement: 'Churn is not understood.' },
  });
  const list = await forge.call('GET', `/projects/${project}/artifacts`);
  expect(list.body.data.map((artifact: { name: string }) => artifact.name)).toEqual([
    'problem_brief',
    'solution_evaluation',
  ]);
  const brief = await forge.call('GET', `/projects/${project}/artifacts/problem_brief`);
  expect(brief.headers['content-type']).toContain('text/markdown');
  expect(brief.text).toContain('Churn is not understood.');
  const again = await forge.call('GET', `/projects/${project}/artifacts/problem_brief`, undefined, {
    'if-none-match': brief.headers.etag,
  });
  expect(again.status).toBe(304);
  expect((await forge.call('GET', `/projects/${project}/artifacts/none`)).body.code).toBe(
    'content_not_available',
  );
});
