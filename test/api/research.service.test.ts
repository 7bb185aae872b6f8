import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addMarkdownFile } from '../helpers/add-markdown-file.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { storeProject } from '../helpers/rows/project.ts';
import { parseEvents } from '../helpers/sse.ts';

// Research without any key: the planner of the offline model, through HTTP.

const FILES = {
  'policy_brief.md':
    '# Policy brief\n\n## Remote work\n\nStaff may work from home three days a week.\n\n## Travel\n\nTrips below 400 km go by train.\n',
  'budget_brief.md': '# Budget brief\n\n## Training\n\nThe training budget is 40,000 EUR for 2026.\n',
  'churn_report.md':
    '# Churn\n\n## Causes\n\nEnterprise customers leave because onboarding takes eleven weeks.\n',
};

let forge: TestApp;
beforeAll(async () => {
  forge = await startTestApp();
  await forge.call('POST', '/projects', { id: 'p', name: 'P' });
  await forge.upload('p', FILES);
});
afterAll(() => forge.close());

const ask = (question: string, options: object = {}) =>
  forge.call('POST', '/projects/p/research', { question, ...options });
const toolsOf = (run: { steps: { tool: string }[] }) => run.steps.map(({ tool }) => tool);

it('answers in several steps, cites what it has read, and is stored', async () => {
  const {
    status,
    body: run,
    headers,
  } = await ask('Why do enterprise customers leave? See the churn report.');
  expect(status).toBe(201);
  expect(run).toMatchObject({ object: 'research_run', status: 'completed', model: 'offline', attempt: 1 });
  expect(run.stop_reason).toBe('end_turn');
  expect(toolsOf(run)).toEqual(['list_project_files', 'search_in_document']);
  expect(run.steps[0].thought).not.toBe('');
  expect(run.answer).toContain('eleven weeks');
  expect(run.citations[0]).toMatchObject({ marker: 1, filename: 'churn_report.md', support: 'supported' });
  expect(headers.location).toBe(`/projects/p/research/${run.id}`);
  const { body: read } = await forge.call('GET', `/projects/p/research/${run.id}`);
  expect(read).toEqual(run);
  // nothing of the other files was read; the listing has a line on each
  expect(run.steps[1].input).toMatchObject({ filename: 'churn_report.md' });
  expect(run.steps[1].output).not.toContain('400 km');
});

it('streams thoughts apart from actions and from the answer, and replays them', async () => {
  const { text } = await forge.call(
    'POST',
    '/projects/p/research',
    { question: 'What is the training budget in budget_brief.md?' },
    { accept: 'text/event-stream' },
  );
  const events = parseEvents(text);
  const names = events.map(({ event }) => event);
  expect(names[0]).toBe('run.created');
  expect(names.at(-1)).toBe('run.completed');
  expect(names.filter((name) => name.startsWith('run.'))).toHaveLength(2);
  expect(names.indexOf('reasoning.delta')).toBeLessThan(names.indexOf('tool.called'));
  expect(names.indexOf('tool.returned')).toBeLessThan(names.indexOf('answer.delta'));
  const run = events.at(-1)?.data;
  const said = events.flatMap(({ event, data }) => (event === 'answer.delta' ? [data.text] : [])).join('');
  expect(said.trim()).toBe(run.answer);
  expect(run.answer).toContain('40,000 EUR');

  await forge.flushEvents();
  const { text: again } = await forge.call('GET', `/projects/p/research/${run.id}/events`);
  expect(parseEvents(again)).toEqual(events);
  const rest = await forge.call('GET', `/projects/p/research/${run.id}/events`, undefined, {
    'last-event-id': String(events[2]?.id),
  });
  expect(parseEvents(rest.text)).toEqual(events.slice(3));
  const over = await forge.call('GET', `/projects/p/research/${run.id}/events`, undefined, {
    'last-event-id': String(events.at(-1)?.id),
  });
  expect(over.status).toBe(204);
});

describe('a reference that several files fit', () => {
  it('is asked back before anything is read', async () => {
    const { body: run } = await ask('What does my brief say about travel?');
    expect(run).toMatchObject({ status: 'needs_clarification', steps: [], citations: [], model: null });
    expect(run.candidates.map(({ filename }: { filename: string }) => filename)).toEqual([
      'policy_brief.md',
      'budget_brief.md',
    ]);
    expect(run.answer).toContain('"my brief"');
  });

  it('is resolved by a choice', async () => {
    const { body: run } = await ask('What does my brief say about travel?', { files: ['policy_brief.md'] });
    expect(run).toMatchObject({ status: 'completed', candidates: [] });
    expect(run.answer).toContain('train');
    expect(JSON.stringify(run.steps)).not.toContain('budget_brief');
  });

  it('is none where another word tells which', async () => {
    const { body: run } = await ask('What does the policy brief say about travel?');
    expect(run.status).toBe('completed');
    expect(run.answer).toContain('train');
  });
});

it('passes on that a file is not there, and does not try again', async () => {
  const { body: run } = await ask('Summarise non_existent_file.md for me.');
  expect(run.answer).toBe("I could not complete your request because 'non_existent_file.md' was not found.");
  expect(toolsOf(run)).toEqual(['summarize_document']);
  expect(run.steps[0].is_error).toBe(true);
});

it('goes to the outline first where a section is named', async () => {
  const { body: run } = await ask('What stands in the section on remote work of policy_brief.md?');
  expect(toolsOf(run)).toEqual(['document_outline', 'read_pointer']);
  expect(run.answer).toContain('three days a week');
});

it('summarises a whole document', async () => {
  const { body: run } = await ask('Summarize policy_brief.md');
  expect(toolsOf(run)).toEqual(['summarize_document']);
  expect(run.answer).toContain('three days');
});

it('says that the knowledge base is empty, and that the documents do not say', async () => {
  const { body: empty } = await ask('Find relevant policies in the knowledge base.', {
    sources: ['library'],
  });
  expect(toolsOf(empty)).toEqual(['search_knowledge_base']);
  expect(empty.answer).toContain('empty');
  const { body: unsaid } = await ask('Which quantum chromodynamics experiment confirmed gluons?');
  expect(unsaid.answer).toMatch(/do not say/);
  expect(unsaid.citations).toEqual([]);
});

it('ends at the limit of its steps with what it has', async () => {
  const { body: run } = await ask('Why do enterprise customers leave? See the churn report.', {
    limits: { max_steps: 2 },
  });
  expect(run).toMatchObject({
    status: 'step_limit_reached',
    limits_applied: [{ limit: 'max_steps', to: 2 }],
  });
  expect(run.answer).toMatch(/^I could not complete this within the 2 steps allowed\./);
  expect(run.answer).toContain('churn_report.md');
  const { body: enough } = await ask('Why do enterprise customers leave? See the churn report.', {
    limits: { max_steps: 3 },
  });
  expect(enough.status).toBe('completed');
  expect(enough.answer).not.toContain('[complete]');
});

it('takes a question on once under a key, and lists the runs', async () => {
  const headers = { 'idempotency-key': 'one' };
  const question = { question: 'What is the training budget in budget_brief.md?' };
  const first = await forge.call('POST', '/projects/p/research', question, headers);
  const second = await forge.call('POST', '/projects/p/research', question, headers);
  expect(second.body).toEqual(first.body);
  expect(second.headers['idempotency-replayed']).toBe('true');
  const other = await forge.call('POST', '/projects/p/research', { question: 'Another?' }, headers);
  expect(other).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
  const turn = await forge.call('POST', '/projects/p/turns', { message: 'Hello' }, headers);
  expect(turn.status).toBe(422);
  const { body: list } = await forge.call('GET', '/projects/p/research?order=desc&limit=1');
  expect(list).toMatchObject({ object: 'list', has_more: true, data: [{ id: first.body.id }] });
});

it('refuses what is no question, and what does not exist', async () => {
  expect((await ask('  ')).status).toBe(400);
  expect((await forge.call('GET', '/projects/p/research/run_none')).body.code).toBe('run_not_found');
  expect((await forge.call('POST', '/projects/nowhere/research', { question: 'x' })).body.code).toBe(
    'project_not_found',
  );
  const { body: done } = await ask('Summarize policy_brief.md');
  expect((await forge.call('POST', `/projects/p/research/${done.id}/retry`)).body.code).toBe(
    'run_not_retryable',
  );
  expect((await forge.call('POST', `/projects/p/research/${done.id}/cancel`)).body).toEqual(done);
});

describe('a turn that is answered by research', () => {
  it('is remembered with its reply, its receipt and its usage, and changes nothing', async () => {
    const { text } = await forge.call(
      'POST',
      '/projects/p/turns',
      { message: 'What is the training budget in budget_brief.md?', research: true },
      { accept: 'text/event-stream' },
    );
    const events = parseEvents(text);
    const names = events.map(({ event }) => event);
    expect(names).toContain('tool.called');
    expect(names).not.toContain('route.decided');
    const turn = events.at(-1)?.data;
    expect(turn).toMatchObject({ status: 'completed', routing: null, state_changes: [], model: 'offline' });
    expect(turn.response).toContain('40,000 EUR');
    expect(turn.citations[0]).toMatchObject({ filename: 'budget_brief.md' });
    expect(turn.usage.by_phase).toMatchObject({ research: { calls: 2 } });
    const { body: receipt } = await forge.call('GET', `/projects/p/turns/${turn.turn_number}/context`);
    const sections = receipt.sections.map(({ name }: { name: string }) => name);
    expect(sections).toContain('research_task');
    expect(sections).toContain('tool_results');
  });

  it('asks which file is meant', async () => {
    const { body: turn } = await forge.call('POST', '/projects/p/turns', {
      message: 'What does my brief say?',
      research: true,
    });
    expect(turn).toMatchObject({ status: 'completed', model: null, usage: { by_phase: {} } });
    expect(turn.response).toContain('policy_brief.md');
  });
});

it('searches the library where the question asks for the knowledge base, and cites it', async () => {
  const library = await storeProject(forge.db, '_library');
  await addMarkdownFile(
    forge,
    library,
    'case-studies.md',
    '# Case studies\n\n## Subsidies\n\nOslo subsidised night trains and halved short flights.\n',
  );
  const { body: run } = await ask('Find what the knowledge base says on subsidised night trains.');
  expect(toolsOf(run)).toEqual(['search_knowledge_base']);
  expect(run.answer).toContain('Oslo');
  expect(run.citations[0]).toMatchObject({ filename: 'case-studies.md', leaf_id: expect.any(String) });
});
