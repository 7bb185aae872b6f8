import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FakeAnthropic, Scripted } from '../fakes/anthropic-server.ts';
import { ROUTE, startKeyedApp } from '../helpers/keyed-app.ts';
import { parseEvents } from '../helpers/sse.ts';

// The large model reads the documents itself: through the provider's wire format, to the receipt and the citations.

type Request = FakeAnthropic['requests'][number];

const REPORT = `# Report

## Onboarding

Onboarding takes eleven weeks from signature to first use. Ines Duarte owns it.

## Pricing

The price experiment ended on 4 March. Conversion rose by 12 percent.

## Privacy

The works council agreed to nothing in 2025. Session replay stays off.
`;

let answer: (request: Request, index: number) => Scripted;
let answers = 0;
let app: Awaited<ReturnType<typeof startKeyedApp>>;
beforeAll(async () => {
  app = await startKeyedApp((request) => answer(request, answers++), {
    ...ROUTE,
    action: 'answer',
    requires_retrieval: false,
  });
  await app.forge.upload('p', { 'report.md': REPORT });
});
afterAll(() => app.close());
beforeEach(() => {
  answers = 0;
});

/** The contents of the newest tool results that a request sends back. */
function resultsOf({ messages }: Request): string[] {
  const content = messages.at(-1)?.content ?? [];
  if (typeof content === 'string') return [];
  return content.flatMap((block) => (block.type === 'tool_result' ? [String(block.content)] : []));
}

const call = (name: string, input: object): Scripted => ({ toolCalls: [{ name, input }] });

async function say(message: string) {
  const { text } = await app.forge.call(
    'POST',
    '/projects/p/turns',
    { message },
    { accept: 'text/event-stream' },
  );
  const events = parseEvents(text);
  const number = events[0]?.data.turn_number;
  const { body: turn } = await app.forge.call('GET', `/projects/p/turns/${number}`);
  const { body: receipt } = await app.forge.call('GET', `/projects/p/turns/${number}/context`);
  return { events, turn, receipt };
}

describe('a model that reads for itself', () => {
  it('goes by outline, search and pointer, and cites what it has read', async () => {
    const seen: string[] = [];
    answer = (request, index) => {
      const [result] = index === 0 ? [] : resultsOf(request);
      if (result) seen.push(result);
      if (index === 0) return call('document_outline', { filename: 'report.md' });
      if (index === 1) return call('find_sections', { filename: 'report.md', query: 'price experiment' });
      if (index === 2) {
        const pointer = (heading: string) =>
          new RegExp(`${heading} \\([^;]*; (\\S+)\\)`).exec(seen[0] ?? '')?.[1];
        const read = (heading: string) => ({ name: 'read_pointer', input: { pointer_id: pointer(heading) } });
        return { toolCalls: [read('Pricing'), read('Onboarding')] };
      }
      const [pricing, onboarding] = resultsOf(request).map(
        (content) => /<document index="(\d+)"/.exec(content)?.[1],
      );
      return {
        text: `Conversion rose by 12 percent [${pricing}]. Onboarding takes forty weeks [${onboarding}].`,
      };
    };
    const { turn, receipt, events } = await say('What came of the price experiment?');
    expect(turn).toMatchObject({ status: 'completed', usage: { by_phase: { answer: { calls: 4 } } } });
    expect(seen[2]).toContain('Conversion rose by 12 percent.');
    expect(seen[2]).not.toContain('eleven weeks');

    const [right, wrong] = turn.citations;
    expect(right).toMatchObject({ filename: 'report.md', support: 'supported' });
    expect(REPORT.slice(right.char_start, right.char_end)).toContain('Conversion rose by 12 percent.');
    expect(wrong).toMatchObject({ filename: 'report.md', support: 'unsupported' });

    const results = receipt.sections.find(({ name }: { name: string }) => name === 'tool_results');
    expect(results.items).toHaveLength(4);
    expect(receipt.tokens).toBeLessThanOrEqual(receipt.budget);
    expect(results.text).toContain('Conversion rose by 12 percent.');
    expect(events.filter(({ event }) => event === 'tool.returned').map(({ data }) => data.name)).toEqual([
      'document_outline',
      'find_sections',
      'read_pointer',
      'read_pointer',
    ]);

    const verified = await app.forge.call('POST', '/projects/p/citations:verify', {
      citations: turn.citations,
    });
    expect(verified.body.data.map(({ support }: { support: string }) => support)).toEqual([
      'supported',
      'unsupported',
    ]);
  });

  it.each<[string, string, object, RegExp]>([
    ['a file that is not there', 'document_outline', { filename: 'nothing.md' }, /nothing\.md/],
    ['a filename that is a number', 'document_outline', { filename: 4 }, /filename/],
    ['a pointer that is none', 'read_pointer', { pointer_id: 'somewhere' }, /pointer/i],
    ['a member that nobody knows', 'search_documents', { query: 'x', sql: 'drop' }, /sql/],
  ])('is told what is wrong with %s, and goes on', async (_, name, input, what) => {
    answer = (_request, index) => (index === 0 ? call(name, input) : { text: 'I could not read it.' });
    const { turn, events } = await say('What does it say?');
    expect(turn).toMatchObject({ status: 'completed', response: 'I could not read it.' });
    expect(events.find(({ event }) => event === 'tool.returned')?.data).toMatchObject({
      is_error: true,
      content: expect.stringMatching(what),
    });
  });

  it('is told that nothing bears on a search, and which file is likeliest to', async () => {
    let content = '';
    answer = (request, index) => {
      if (index === 0) return call('search_documents', { query: 'quantum chromodynamics of gluons' });
      content = resultsOf(request)[0] ?? '';
      return { text: 'The files do not say.' };
    };
    await say('What about gluons?');
    expect(content).toMatch(/None of the \d+ sections searched bears on this.*report\.md/);
  });

  it('does not read without end: the last round may not call, and what is too much is not read', async () => {
    answer = (request) =>
      request.tool_choice?.type === 'none'
        ? { text: 'That is all I know.' }
        : call('search_documents', { query: 'onboarding weeks' });
    const { turn } = await say('Read everything again and again.');
    expect(turn).toMatchObject({ status: 'completed', response: 'That is all I know.' });
    const { calls } = turn.usage.by_phase.answer;
    expect(calls).toBeGreaterThan(2);
    expect(calls).toBeLessThanOrEqual(8);
  });
});

it('takes back in the stream what was said in front of a call, and stores one reply', async () => {
  answer = (_request, index) =>
    index === 0
      ? {
          text: 'Let me look that up.',
          toolCalls: [{ name: 'search_documents', input: { query: 'onboarding weeks' } }],
        }
      : { text: 'Eleven weeks.' };
  const { turn, events } = await say('How long does onboarding take?');
  expect(turn.response).toBe('Eleven weeks.');
  const reset = events.findIndex(({ event }) => event === 'answer.reset');
  const deltas = (from: number, to?: number) =>
    events
      .slice(from, to)
      .flatMap(({ event, data }) => (event === 'answer.delta' ? [data.text] : []))
      .join('');
  expect(deltas(0, reset)).toBe('Let me look that up.');
  expect(deltas(reset)).toBe('Eleven weeks.');
});
