import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Database } from '../../../src/db/database.ts';
import { summarizeDocument } from '../../../src/services/tools/summarize-document.ts';
import type { ToolContext } from '../../../src/services/tools/tool.ts';
import { fakeEmbeddingModel } from '../../fakes/embedding-model.ts';
import { type FakeLanguageModel, fakeLanguageModel } from '../../fakes/language-model.ts';
import { addMarkdownFile } from '../../helpers/add-markdown-file.ts';
import { openTestDatabase } from '../../helpers/database.ts';
import { storeProject } from '../../helpers/rows/project.ts';

let db: Database;
let model: FakeLanguageModel;
let logged: string[];
let project: ToolContext['scope'];
beforeAll(async () => {
  db = await openTestDatabase();
  project = await storeProject(db, 'p');
  const long = Array.from(
    { length: 40 },
    (_, index) => `## Part ${index}\n\n${'Words fill it up. '.repeat(200)}`,
  );
  await addMarkdownFile(
    { db, embeddingModel: fakeEmbeddingModel() },
    project,
    'long.md',
    `# Long\n\n${long.join('\n\n')}\n`,
  );
});
afterAll(() => db.close());
beforeEach(async () => {
  model = fakeLanguageModel(() => ({ text: 'What it says.' }));
  logged = [];
  await db.query('delete from document_summaries');
  await db.query('delete from usage_totals');
});

function call(filename: string, context: Partial<ToolContext> = {}, on: Database = db) {
  const tool = summarizeDocument({
    db: on,
    summaryModel: model,
    log: { warn: (_, message) => void logged.push(message) },
  });
  return tool.run(
    { filename },
    {
      scope: project,
      sources: ['project', 'library'],
      signal: new AbortController().signal,
      maxTokens: 1_000,
      onSpent: () => undefined,
      ...context,
    },
  );
}

it('books all calls of a summary', async () => {
  await call('long.md');
  expect(model.requests.length).toBeGreaterThan(4);
  const { rows } = await db.query(
    "select phase, calls::int, input_tokens::int from usage_totals where phase = 'document_summary'",
  );
  const calls = model.requests.length;
  expect(rows).toEqual([{ phase: 'document_summary', calls, input_tokens: 100 * calls }]);
});

it('gives and keeps a summary whose usage cannot be booked', async () => {
  const broken: Database = {
    ...db,
    query: (sql, params) =>
      sql.includes('usage_totals') ? Promise.reject(new Error('disk full')) : db.query(sql, params),
  };
  const { lines } = await call('long.md', {}, broken);
  expect(lines.at(-1)).toBe('What it says.');
  expect(logged).toEqual(['the usage of a document summary could not be booked']);
  const calls = model.requests.length;
  expect((await call('long.md')).lines).toEqual(lines);
  expect(model.requests).toHaveLength(calls);
});

it('summarises a file of the library for whom it is open, once for all, and books it in the project', async () => {
  const library = await storeProject(db, '_library');
  await addMarkdownFile(
    { db, embeddingModel: fakeEmbeddingModel() },
    library,
    'cases.md',
    '# Cases\n\nOslo did.\n',
  );
  const { lines } = await call('cases.md');
  expect(lines.at(-1)).toBe('What it says.');
  const projectsIn = async (rows: string) =>
    (await db.query<{ project: string }>(`select project_id as project from ${rows}`)).rows;
  expect(await projectsIn('document_summaries')).toEqual([{ project: '_library' }]);
  expect(await projectsIn("usage_totals where phase = 'document_summary'")).toEqual([{ project: 'p' }]);
  const other = await storeProject(db, 'other');
  expect((await call('cases.md', { scope: other })).lines).toEqual(lines);
  expect(model.requests).toHaveLength(1);
  await expect(call('cases.md', { sources: ['project'] })).rejects.toMatchObject({ code: 'file_not_found' });
});
