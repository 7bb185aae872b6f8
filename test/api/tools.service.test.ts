import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { openTestDatabase } from '../helpers/database.ts';
import { TOOL_NAMES } from '../helpers/tool-names.ts';

const REPORT = `# Report

## Onboarding

Onboarding takes eleven weeks from signature to first use. Ines Duarte owns it.

## Pricing

The price experiment ended on 4 March. Conversion rose by 12 percent.
`;

let forge: TestApp;
beforeAll(async () => {
  forge = await startTestApp();
  await forge.call('POST', '/projects', { id: 'p', name: 'P' });
  await forge.upload('p', { 'report.md': REPORT, 'empty-ish.md': '# Notes\n\nNothing of note.\n' });
});
afterAll(() => forge.close());

const call = (name: string, input: object = {}) => forge.call('POST', `/projects/p/tools/${name}`, input);

it('lists every tool with the schema that its calls are checked by', async () => {
  const { body } = await forge.call('GET', '/tools');
  expect(body.data.map(({ name }: { name: string }) => name)).toEqual(TOOL_NAMES);
  for (const tool of body.data) {
    expect(tool.annotations.readOnlyHint).toBe(true);
    expect(tool.input_schema).toMatchObject({ type: 'object', additionalProperties: false });
    // when to call it and when not
    expect(tool.description).toMatch(/\bFor\b|First call|Read(s|ing)\b/);
    expect(tool.description).toMatch(/\bnot\b/i);
  }
});

describe('a call by hand', () => {
  it('lists files and artifacts', async () => {
    const { status, body } = await call('list_project_files');
    expect(status).toBe(200);
    expect(body).toMatchObject({ object: 'tool_result', tool: 'list_project_files', is_error: false });
    expect(body.structured.files).toEqual([
      expect.objectContaining({ filename: 'report.md', status: 'completed' }),
      expect.objectContaining({ filename: 'empty-ish.md' }),
    ]);
    expect(body.structured.artifacts.map(({ name }: { name: string }) => name)).toEqual([
      'problem_brief',
      'solution_evaluation',
    ]);
    expect(body.content).toContain('report.md');
  });

  it('finds a fact in one document, at offsets of its text', async () => {
    const { body } = await call('search_in_document', { filename: 'report.md', query: 'price experiment' });
    const [passage] = body.passages;
    expect(passage).toMatchObject({ marker: 1, filename: 'report.md' });
    expect(REPORT.slice(passage.char_start, passage.char_end)).toBe(passage.text);
    expect(passage.text).toContain('12 percent');
  });

  it('goes from the outline to the text', async () => {
    const { body: outline } = await call('document_outline', { filename: 'report.md' });
    const pricing = outline.structured.pointers.find(({ title }: { title: string }) => title === 'Pricing');
    const { body } = await call('read_pointer', { pointer_id: pricing.pointer_id });
    expect(body.content).toContain('Conversion rose by 12 percent.');
  });

  it('summarises a whole document, and keeps the summary with its version', async () => {
    const { body } = await call('summarize_document', { filename: 'report.md' });
    expect(body.content).toContain('eleven weeks');
    expect(body.content).toContain('price experiment');
    const { body: again } = await call('summarize_document', { filename: 'report.md' });
    expect(again.content).toBe(body.content);
    const { rows } = await forge.db.query('select version, model from document_summaries');
    expect(rows).toEqual([{ version: 1, model: 'offline' }]);
    const { body: usage } = await forge.call('GET', '/projects/p/usage');
    expect(usage.by_phase).toContainEqual(expect.objectContaining({ phase: 'document_summary', calls: 1 }));
  });

  it('says that the library is empty, and what to do', async () => {
    const { body } = await call('search_knowledge_base', { query: 'policy' });
    expect(body).toMatchObject({ is_error: false, passages: [] });
    expect(body.content).toMatch(/empty.*POST \/library\/files/s);
  });

  it('says that a file is not there in a result', async () => {
    for (const name of ['search_in_document', 'find_sections']) {
      const { status, body } = await call(name, { filename: 'non_existent_file.md', query: 'x' });
      expect(status).toBe(200);
      expect(body).toMatchObject({ is_error: true, passages: [] });
      expect(body.content).toContain('"non_existent_file.md"');
    }
  });

  it('refuses what is no call', async () => {
    const unknown = await call('sumarize_document', { filename: 'report.md' });
    expect(unknown).toMatchObject({
      status: 404,
      body: { code: 'tool_not_found', nearest: 'summarize_document' },
    });
    expect(unknown.body.detail).toContain('summarize_document');
    const wrong = await call('search_in_document', { filename: 4, querry: 'x' });
    expect(wrong).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(wrong.body.errors.map(({ pointer }: { pointer: string }) => pointer).sort()).toEqual(
      ['/filename', '/query', '/querry'].sort(),
    );
    const nowhere = await forge.call('POST', '/projects/nowhere/tools/list_project_files', {});
    expect(nowhere).toMatchObject({ status: 404, body: { code: 'project_not_found' } });
  });
});

it('has no outline tools where the setting turns them off', async () => {
  const db = await openTestDatabase();
  const other = await startTestApp({ settings: { OUTLINE_TOOLS: 'off' }, overrides: { db } });
  const { body } = await other.call('GET', '/tools');
  const names = body.data.map(({ name }: { name: string }) => name);
  expect(names).not.toContain('document_outline');
  expect(names).not.toContain('read_pointer');
  expect(names).toContain('search_in_document');
  await other.close();
});
