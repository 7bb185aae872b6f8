import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FakeAnthropic, Scripted } from '../fakes/anthropic-server.ts';
import { isAnswering, ROUTE, startKeyedApp } from '../helpers/keyed-app.ts';

// A turn that has the library: through the provider's wire format, to the receipt, the citations and the state.

type Request = FakeAnthropic['requests'][number];

const GUIDE = `# Pilot guide

## Pricing

A paid pilot costs 12,000 EUR and converts at 62 percent.

## Length

A pilot runs for six weeks, with a review in the third.
`;
const BOTH = { sources: ['project', 'library'], retrieval: 'always' };
const COST = 'What does a paid pilot cost, and how many convert?';

let answer: (request: Request, index: number) => Scripted;
let answers = 0;
let app: Awaited<ReturnType<typeof startKeyedApp>>;
beforeAll(async () => {
  app = await startKeyedApp((request) => answer(request, answers++), { ...ROUTE, action: 'answer' });
  await app.forge.upload('p', { 'notes.md': '# Notes\n\nThe board meets on Tuesday about the budget.\n' });
  await app.forge.uploadToLibrary({ 'guide.md': GUIDE });
});
afterAll(() => app.close());
beforeEach(() => {
  answers = 0;
  answer = () => ({ text: 'I see.' });
});

/** The text of the newest user message that the large model was sent. */
function sentText(): string {
  const request = app.anthropic.requests.findLast(isAnswering);
  return JSON.stringify(request?.messages ?? []);
}
const indexIn = (text: string, words: string): string =>
  [...text.matchAll(/<document index=\\?"(\d+)(?:(?!<document ).)*/gs)].find(([document]) =>
    document.includes(words),
  )?.[1] ?? '';
const receiptOf = async (turn: { turn_number: number }) =>
  (await app.forge.call('GET', `/projects/p/turns/${turn.turn_number}/context`)).body;
const documentsOf = (receipt: {
  sections: { name: string; items: { source?: string; filename?: string }[] }[];
}) => receipt.sections.find(({ name }) => name === 'retrieved_documents')?.items ?? [];

describe('a turn that has the library', () => {
  it('is shown its passages as such, and cites them', async () => {
    answer = (request) => ({
      text: `A paid pilot costs 12,000 EUR [${indexIn(JSON.stringify(request.messages), '12,000')}].`,
    });
    const { status, body: turn } = await app.say(COST, BOTH);
    expect(status).toBe(201);
    expect(sentText()).toContain('from=\\"library\\"');
    const [citation] = turn.citations;
    expect(citation).toMatchObject({ source: 'library', filename: 'guide.md', support: 'supported' });
    expect(GUIDE.slice(citation.char_start, citation.char_end)).toBe(citation.quote);
    expect(citation.leaf_id).not.toBeNull();

    const receipt = await receiptOf(turn);
    expect(documentsOf(receipt)).toContainEqual(
      expect.objectContaining({ source: 'library', filename: 'guide.md' }),
    );
    expect(receipt.retrieval.considered).toBeGreaterThan(1);
    const checked = await app.forge.call('POST', '/projects/p/citations:verify', {
      citations: turn.citations,
    });
    expect(checked.body.data[0]).toMatchObject({ source: 'library', status: 'valid', support: 'supported' });
    const again = await app.forge.call('GET', `/projects/p/turns/${turn.turn_number}`);
    expect(again.body.citations).toEqual(turn.citations);
  });

  it('is shown what stands in both once, as the project has it', async () => {
    await app.forge.call('POST', '/projects', { id: 'copy', name: 'Copy' });
    await app.forge.upload('copy', { 'guide.md': `# Front page\n\nOurs.\n\n${GUIDE}` });
    const both = { query: COST, sources: BOTH.sources };
    const { body: found } = await app.forge.call('POST', '/projects/copy/search', both);
    const best = found.data.find(({ text }: { text: string }) => text.includes('12,000'));
    expect(best).toMatchObject({ source: 'project', also_in: [{ source: 'library', filename: 'guide.md' }] });
    answer = (request) => ({
      text: `A paid pilot costs 12,000 EUR [${indexIn(JSON.stringify(request.messages), '12,000')}].`,
    });
    const { body: turn } = await app.forge.call('POST', '/projects/copy/turns', { message: COST, ...BOTH });
    const [citation] = turn.citations;
    expect(citation).toMatchObject({ source: 'project', filename: 'guide.md' });
    const { text } = await app.forge.call('GET', '/projects/copy/files/guide.md/markdown');
    expect(text.slice(citation.char_start, citation.char_end)).toBe(citation.quote);
  });

  it('is not shown it without asking', async () => {
    const { body: turn } = await app.say(COST, { retrieval: 'always', min_score: 0 });
    expect(sentText()).not.toContain('12,000 EUR and converts');
    const receipt = await receiptOf(turn);
    expect(documentsOf(receipt).map(({ source }) => source)).not.toContain('library');
  });

  it('searches it with its tools', async () => {
    let result = '';
    answer = (request, index) => {
      if (index === 0) return { toolCalls: [{ name: 'search_documents', input: { query: COST } }] };
      result = JSON.stringify(request.messages.at(-1)?.content);
      return { text: `A paid pilot costs 12,000 EUR [${indexIn(result, '12,000')}].` };
    };
    const { body: turn } = await app.say('Look it up, please.', { ...BOTH, retrieval: 'never' });
    expect(result).toContain('from=\\"library\\"');
    expect(turn.citations[0]).toMatchObject({ source: 'library', support: 'supported' });
  });

  it('reads a file of it by outline and pointer', async () => {
    let result = '';
    answer = (request, index) => {
      const before = JSON.stringify(request.messages.at(-1)?.content);
      if (index === 0) return { toolCalls: [{ name: 'document_outline', input: { filename: 'guide.md' } }] };
      const pointer = /Length \([^;]*; ([^)\s]+)\)/.exec(before)?.[1];
      if (index === 1) return { toolCalls: [{ name: 'read_pointer', input: { pointer_id: pointer } }] };
      result = before;
      return { text: `A pilot runs for six weeks [${indexIn(result, 'six weeks')}].` };
    };
    const { body: turn } = await app.say('What does the guide say on length?', {
      ...BOTH,
      retrieval: 'never',
    });
    expect(result).toContain('six weeks');
    const [citation] = turn.citations;
    expect(citation).toMatchObject({ source: 'library', filename: 'guide.md' });
    expect(GUIDE.slice(citation.char_start, citation.char_end)).toBe(citation.quote);
  });

  it('has no tool that reaches the library when it was not asked for', async () => {
    const results: string[] = [];
    answer = (request, index) => {
      if (index > 0) results.push(JSON.stringify(request.messages.at(-1)?.content));
      if (index === 0) return { toolCalls: [{ name: 'document_outline', input: { filename: 'guide.md' } }] };
      if (index === 1) return { toolCalls: [{ name: 'search_documents', input: { query: COST } }] };
      return { text: 'I do not know.' };
    };
    await app.say('Look it up in the guide, please.', { retrieval: 'never' });
    expect(results[0]).toContain('There is no file');
    expect(results[1]).not.toContain('12,000');
  });

  it('keeps a retry to the same sources', async () => {
    answer = () => ({ status: 400, message: 'no' });
    const failed = await app.say(COST, BOTH);
    expect(failed.status).toBeGreaterThanOrEqual(400);
    answer = () => ({ text: 'I see.' });
    const number = failed.body.turn_number;
    const { status, body: turn } = await app.forge.call('POST', `/projects/p/turns/${number}/retry`);
    expect(status).toBe(200);
    expect(documentsOf(await receiptOf(turn)).map(({ source }) => source)).toContain('library');
  });

  it('takes nothing from the library as a source that could go stale', async () => {
    answer = (request, index) => {
      if (index > 0) return { text: 'Noted.' };
      const marker = Number(indexIn(JSON.stringify(request.messages), '12,000'));
      const input = {
        statement: 'A pilot costs 12,000 EUR.',
        confidence: 'informed',
        impact: 'low',
        cites: [marker],
      };
      return { toolCalls: [{ name: 'register_assumption', input }] };
    };
    await app.say(COST, BOTH);
    const { body } = await app.forge.call('GET', '/projects/p/state/assumptions');
    const noted = body.data.find(({ statement }: { statement: string }) => statement.includes('12,000'));
    expect(noted.sources ?? []).toEqual([]);
    await app.forge.uploadToLibrary({ 'guide.md': GUIDE.replace('12,000', '15,000') });
    expect((await app.forge.call('GET', '/projects/p/staleness')).body.data ?? []).toEqual([]);
  });

  it('refuses sources that there are not', async () => {
    for (const sources of [[], ['web']]) {
      expect((await app.say(COST, { sources })).status).toBe(400);
    }
  });
});
