import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { FakeAnthropic, Scripted } from '../fakes/anthropic-server.ts';
import { startKeyedApp } from '../helpers/keyed-app.ts';
import { openStream, parseEvents } from '../helpers/sse.ts';

// Research with a model: through the provider's wire format, to the stored run.

type Request = FakeAnthropic['requests'][number];

const REPORT = `# Report

## Onboarding

Onboarding takes eleven weeks from signature to first use. Ines Duarte owns it.

## Pricing

The price experiment ended on 4 March. Conversion rose by 12 percent.
`;
const PLAN = '# Plan\n\n## Launch\n\nThe launch is on 2 May. Tomas Reyes decides.\n';

let answer: (request: Request, index: number) => Scripted;
let calls = 0;
let app: Awaited<ReturnType<typeof startKeyedApp>>;
let origin: string;
beforeAll(async () => {
  app = await startKeyedApp((request) => answer(request, calls++));
  await app.forge.upload('p', { 'report.md': REPORT, 'plan.md': PLAN });
  origin = await app.forge.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => app.close());
beforeEach(() => {
  calls = 0;
});

const call = (name: string, input: object, rest: object = {}): Scripted => ({
  toolCalls: [{ name, input }],
  ...rest,
});
const research = (question: string, options: object = {}, headers: object = {}) =>
  app.forge.call('POST', '/projects/p/research', { question, ...options }, headers);

async function streamed(question: string, options: object = {}) {
  const { text } = await research(question, options, { accept: 'text/event-stream' });
  const events = parseEvents(text);
  return { events, names: events.map(({ event }) => event), run: events.at(-1)?.data };
}

const resultsOf = ({ messages }: Request): string[] => {
  const content = messages.at(-1)?.content ?? [];
  if (typeof content === 'string') return [];
  return content.flatMap((block) => (block.type === 'tool_result' ? [String(block.content)] : []));
};

it('thinks, acts and answers in several steps; thoughts go back as they came', async () => {
  answer = (_request, index) => {
    if (index === 0)
      return call(
        'list_project_files',
        {},
        { thinking: ['Which file has it?'], text: 'I look at the files.' },
      );
    if (index === 1)
      return call(
        'search_in_document',
        { filename: 'report.md', query: 'price experiment' },
        { text: 'The report it is.' },
      );
    return { text: 'Conversion rose by 12 percent [1]. It rose by 90 percent [1]. See [7].' };
  };
  const { events, names, run } = await streamed('What came of the price experiment?');
  expect(run).toMatchObject({
    status: 'completed',
    answer: 'Conversion rose by 12 percent [1]. It rose by 90 percent [1]. See.',
    usage: { by_phase: { research: { calls: 3 } } },
  });
  expect(run.steps.map(({ tool }: { tool: string }) => tool)).toEqual([
    'list_project_files',
    'search_in_document',
  ]);
  expect(run.steps[0].thought).toContain('I look at the files.');
  expect(run.citations.map(({ support }: { support: string }) => support)).toContain('unsupported');
  const thoughts = events
    .flatMap(({ event, data }) => (event === 'reasoning.delta' ? [data.text] : []))
    .join('');
  expect(thoughts).toContain('The report it is.');
  const said = events.flatMap(({ event, data }) => (event === 'answer.delta' ? [data.text] : [])).join('');
  expect(said).not.toContain('I look at');
  expect(names.filter((name) => name.startsWith('run.'))).toEqual(['run.created', 'run.completed']);
  // a cache mark at the end of what the next step begins with, and the same prefix each time
  const [first, second] = app.anthropic.requests.filter(({ tools }) => tools !== undefined);
  expect(JSON.stringify(first?.messages.at(-1)?.content)).toContain('cache_control');
  expect(JSON.stringify(second?.messages.at(-1)?.content)).toContain('cache_control');
  const { body: usage } = await app.forge.call('GET', '/projects/p/usage');
  expect(usage.by_phase).toContainEqual(expect.objectContaining({ phase: 'research', calls: 3 }));
});

it('takes back what looked like the answer and was a thought', async () => {
  const long = `I will ${'look very closely '.repeat(20)}.`;
  answer = (_request, index) =>
    index === 0
      ? call('list_project_files', {}, { text: [long.slice(0, 300), long.slice(300)] })
      : { text: 'Two files.' };
  const { events, run } = await streamed('Which files are there?');
  expect(run.answer).toBe('Two files.');
  expect(events.some(({ event }) => event === 'answer.reset')).toBe(true);
  const reset = events.findIndex(({ event }) => event === 'answer.reset');
  const after = events
    .slice(reset)
    .flatMap(({ event, data }) => (event === 'answer.delta' ? [data.text] : []));
  expect(after.join('')).toBe('Two files.');
});

it('goes on with an answer that the provider has interrupted', async () => {
  answer = (_request, index) =>
    index === 0 ? { text: 'It is the first half.', stopReason: 'pause_turn' } : { text: 'And the second.' };
  const { events, run } = await streamed('What is it?');
  expect(run).toMatchObject({ status: 'completed', answer: 'It is the first half.\n\nAnd the second.' });
  expect(events.some(({ event }) => event === 'answer.reset' || event === 'reasoning.delta')).toBe(false);
});

it('refuses the same call twice, and an outline that has not changed', async () => {
  const seen: string[] = [];
  answer = (request, index) => {
    seen.push(...resultsOf(request));
    if (index === 0) return call('search_documents', { query: 'launch' });
    if (index === 1) return call('search_documents', { limit: 4, query: 'launch ' });
    if (index === 2) return call('document_outline', { filename: 'plan.md' });
    if (index === 3) return call('document_outline', { filename: 'plan.md', levels: 1 });
    return { text: 'On 2 May.' };
  };
  const { body: run } = await research('When is the launch?');
  expect(run.steps.map(({ is_error }: { is_error: boolean }) => is_error)).toEqual([
    false,
    true,
    false,
    false,
  ]);
  expect(seen[1]).toContain('The same call was made in step 1');
  expect(seen[3]).toContain('has not changed');
  expect(run.status).toBe('completed');
});

it('is asked which file is meant before any model is called', async () => {
  answer = () => expect.unreachable();
  await app.forge.upload('p', {
    'policy_brief.md': '# Policy\n\nA.\n',
    'budget_brief.md': '# Budget\n\nB.\n',
  });
  const { names, run } = await streamed('Summarise my brief.');
  expect(names).toEqual(['run.created', 'run.needs_clarification']);
  expect(run.candidates).toHaveLength(2);
  expect(calls).toBe(0);
  answer = (_request, index) =>
    index === 0 ? call('summarize_document', { filename: 'policy_brief.md' }) : { text: 'It is short.' };
  const { body: chosen } = await research('Summarise my brief.', { files: ['policy_brief.md'] });
  expect(chosen).toMatchObject({
    status: 'completed',
    usage: { by_phase: { document_summary: { calls: 1 } } },
  });
});

it('tells of a file that is not there, also where the model forgets to', async () => {
  answer = (_request, index) =>
    index === 0
      ? call('search_in_document', { filename: 'non_existent_file.md', query: 'x' })
      : { text: 'I can say nothing on that.' };
  const { body: run } = await research('What does non_existent_file.md say?');
  expect(run.steps).toMatchObject([{ is_error: true }]);
  expect(run.answer).toContain("'non_existent_file.md'");
  expect(calls).toBe(2);
});

it.each([
  ['says nothing of being done', 'Part of it.', 'step_limit_reached'],
  ['says that its answer is whole', '[complete]\nAll of it.', 'completed'],
])('ends at the limit of steps when the model %s', async (_, text, status) => {
  answer = (request, index) =>
    request.tool_choice?.type === 'none' ? { text } : call('search_documents', { query: `weeks ${index}` });
  const { events, run } = await streamed('Read on and on.');
  expect(calls).toBe(7);
  expect(run.status).toBe(status);
  expect(run.steps).toHaveLength(6);
  expect(run.answer).toBe(
    status === 'completed'
      ? 'All of it.'
      : 'I could not complete this within the 7 steps allowed. What I found so far:\n\nPart of it.',
  );
  const said = events.flatMap(({ event, data }) => (event === 'answer.delta' ? [data.text] : [])).join('');
  expect(said.trim()).toBe(run.answer);
});

it('keeps within tokens and money, or refuses', async () => {
  const low = await research('Why?', { limits: { max_cost_usd: 0.000001 } });
  expect(low).toMatchObject({ status: 422, body: { code: 'limits_too_low' } });
  expect(low.body.detail).toContain('question');
  answer = (request, index) =>
    request.tool_choice?.type === 'none'
      ? { text: 'So far.' }
      : call('search_documents', { query: `q ${index}` });
  const { body: run } = await research('Read on and on.', { limits: { max_cost_usd: 0.3 } });
  expect(run.usage.cost_usd).toBeLessThanOrEqual(0.3);
  expect(run.status).toBe('step_limit_reached');
});

it('sends no prompt over the limit of tokens', async () => {
  const before = app.anthropic.requests.length;
  answer = (request, index) =>
    request.tool_choice?.type === 'none'
      ? { text: 'So far.' }
      : call('search_documents', { query: `q ${index}` });
  const { body: run } = await research('Read on and on.', { limits: { max_input_tokens: 6_000 } });
  expect(['completed', 'step_limit_reached']).toContain(run.status);
  expect(run.limits_applied[0]).toMatchObject({ limit: 'max_input_tokens', setting: 'budget' });
  expect(run.limits_applied.some(({ setting }: { setting: string }) => setting === 'exceeded')).toBe(false);
  expect(app.anthropic.requests.length).toBeGreaterThan(before + 1);
  const none = await research('Read on.', { limits: { max_input_tokens: 50 } });
  expect(none).toMatchObject({ status: 422, body: { errors: [{ pointer: '/limits/max_input_tokens' }] } });
});

it('is cancelled while the model is silent, and keeps its steps', async () => {
  answer = (_request, index) => (index === 0 ? call('list_project_files', {}) : 'no_answer');
  const stream = await openStream(`${origin}/projects/p/research`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ question: 'What is there?' }),
  });
  const created = await stream.until('run.created');
  await stream.until('tool.returned');
  const { body: run } = await app.forge.call('POST', `/projects/p/research/${created.data.id}/cancel`);
  expect(run).toMatchObject({ status: 'cancelled', error: null, steps: [{ tool: 'list_project_files' }] });
  expect((await stream.all()).at(-1)?.event).toBe('run.cancelled');
});

it('goes on when its caller leaves, who comes back to the rest', async () => {
  answer = (_request, index) => (index === 0 ? call('list_project_files', {}) : { text: 'Some files.' });
  const stream = await openStream(`${origin}/projects/p/research`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ question: 'What is there to read?' }),
  });
  const created = await stream.until('run.created');
  stream.leave();
  const rest = await openStream(`${origin}/projects/p/research/${created.data.id}/events`, {
    headers: { 'last-event-id': String(created.id) },
  });
  const events = await rest.all();
  expect(events[0]?.id).toBe(created.id + 1);
  expect(events.at(-1)).toMatchObject({ event: 'run.completed', data: { answer: 'Some files.' } });
});

it('fails in words, and is tried again under its id', async () => {
  let down = true;
  answer = () => (down ? { status: 400, message: 'secret' } : { text: 'Here it is.' });
  const failed = await research('Is it there?');
  expect(failed).toMatchObject({ status: 502, body: { code: 'model_rejected' } });
  expect(failed.text).not.toContain('secret');
  down = false;
  const retried = await app.forge.call('POST', `/projects/p/research/${failed.body.run_id}/retry`);
  expect(retried).toMatchObject({
    status: 200,
    body: { status: 'completed', attempt: 2, answer: 'Here it is.', id: failed.body.run_id },
  });
});

it('is told as interrupted when its process is gone, and can be retried', async () => {
  answer = () => ({ text: 'Now it is.' });
  // a run as a process that was killed leaves it: in progress, under a lease that has run out
  await app.forge.db.query(
    `insert into research_runs (workspace_id, project_id, run_id, status, question, options, locked_by, locked_until)
     values ('default', 'p', 'run_left', 'in_progress', 'Was it?', '{"sources":["project"],"files":[]}', 'gone',
       now() - interval '1 second')`,
  );
  const { text } = await app.forge.call('GET', '/projects/p/research/run_left/events');
  expect(parseEvents(text).at(-1)).toMatchObject({
    event: 'run.failed',
    data: { code: 'interrupted', retryable: true, run: { id: 'run_left', status: 'failed' } },
  });
  const retried = await app.forge.call('POST', '/projects/p/research/run_left/retry');
  expect(retried.body).toMatchObject({ status: 'completed', attempt: 2, answer: 'Now it is.' });
});
