import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/db/database.ts';
import type { GenerateRequest } from '../../../src/llm/model.ts';
import { fakeLanguageModel, routeReply } from '../../fakes/language-model.ts';
import { openTestDatabase } from '../../helpers/database.ts';
import { prose } from '../../helpers/prose.ts';
import { turnBench, userSideOf } from '../../helpers/turns.ts';

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

const CHAPTERS = [
  'Purpose',
  'Onboarding',
  'Pricing',
  'Support',
  'Churn',
  'Outlook',
  'Appendix',
  'Recommendations',
];
const chapter = (name: string, at: number): string =>
  `## ${name}\n\nChapter ${at} is about ${name.toLowerCase()} and figure ${4_000 + at}. ${prose(at, 40, 11)}`;
const FIELD_REPORT = `# Field report\n\n${CHAPTERS.map(chapter).join('\n\n')}\n`;

/** The result of the last call in a request. */
const resultIn = (request: GenerateRequest | undefined): string =>
  request?.messages
    .at(-1)
    ?.content.flatMap((part) => (part.type === 'tool_result' ? [part.content] : []))
    .at(-1) ?? '';

const calling = (name: string, input: unknown) => ({ toolCalls: [{ name, input }] });

describe('a turn that reads documents', () => {
  it('walks from the outline to a section, cites what it has read, and keeps all of it in the receipt', async () => {
    const answer = fakeLanguageModel((request, call) => {
      if (call === 0) return calling('document_outline', { filename: 'report.md' });
      if (call === 1) {
        const pointer_id = /Outlook \(.*?(outline:[^)]+)\)/.exec(resultIn(request))?.[1];
        return calling('read_pointer', { pointer_id });
      }
      const index = /<document index="(\d+)"/.exec(resultIn(request))?.[1];
      return { text: `It names figure 4005 [${index}] and figure 9999 [${index}].` };
    });
    const bench = await turnBench(db, { answer, options: { maxDocumentResults: 1 } });
    await bench.addFile('report.md', FIELD_REPORT);
    const turn = await bench.say('What is chapter 1 about?');
    const sections = turn.context?.sections.map(({ name }) => name);
    expect(sections?.at(-1)).toBe('tool_results');
    const [citation, wrong] = turn.citations;
    expect(citation).toMatchObject({ filename: 'report.md', header_path: ['Field report', 'Outlook'] });
    expect(FIELD_REPORT.slice(citation?.char_start, citation?.char_end)).toBe(citation?.quote);
    expect(citation?.leaf_id).not.toBeNull();
    expect([citation?.support, wrong?.support]).toContain('unsupported');
    const receipt = await bench.service.getContext(bench.scope, 1);
    const results = receipt?.sections.at(-1);
    expect(results?.items.map(({ tool }) => tool)).toEqual(['document_outline', 'read_pointer']);
    expect(results?.items[1]?.markers).toEqual([citation?.marker]);
    expect(results?.text).toContain('figure 4005');
    expect(receipt?.tokens).toBeLessThanOrEqual(receipt?.budget ?? 0);
  });

  it('has errors as results, and goes on', async () => {
    const calls = [
      calling('document_outline', { filename: 'none.md' }),
      calling('search_documents', { query: 'figure', limit: 99 }),
      calling('read_pointer', { pointer_id: 'outline:report.md:0' }),
      { text: 'I could not read it.' },
    ];
    const answer = fakeLanguageModel((_, call) => calls[call] ?? {});
    const bench = await turnBench(db, { answer });
    await bench.addFile('report.md', FIELD_REPORT);
    expect(await bench.say('What does none.md say on churn?')).toMatchObject({ status: 'completed' });
    const told = answer.requests.slice(1).map((request) => resultIn(request));
    expect(told[0]).toMatch(/^Not done\. .*none\.md/);
    expect(told[1]).toMatch(/^Not done\. The input of search_documents/);
    expect(told[2]).toMatch(/^Not done\. .*no pointer/);
  });

  it('gets no more than there is room for', async () => {
    const answer = fakeLanguageModel((_, call) =>
      call < 3 ? calling('search_documents', { query: 'about figure churn', limit: 8 }) : { text: 'Done.' },
    );
    const options = { budgets: { turn: 6_000, filler: 5_000, router: 2_000 } };
    const bench = await turnBench(db, { answer, options });
    await bench.addFile('report.md', FIELD_REPORT);
    const turn = await bench.say('Who saw figure 4004?');
    expect(turn.context?.tokens).toBeLessThanOrEqual(6_000);
    expect(resultIn(answer.requests.at(-1))).toMatch(/no room|had no room|shown already/);
  });

  it('has no such tools in a project without files', async () => {
    const bench = await turnBench(db);
    const turn = await bench.say('Hello, who decides?');
    expect(turn.context?.sections[0]).toMatchObject({ name: 'tool_definitions' });
    const names = JSON.stringify((await bench.service.getContext(bench.scope, 1))?.sections[0]?.text);
    expect(names).not.toContain('read_pointer');
  });
});

describe('a question about a whole document', () => {
  it('has the sections of the file around the best one, in their order', async () => {
    const router = fakeLanguageModel(() => ({ text: routeReply({ relevant_files: ['report.md'] }) }));
    const answer = fakeLanguageModel(() => ({ text: 'Eight chapters [1].' }));
    const bench = await turnBench(db, { answer, router });
    await bench.addFile('report.md', FIELD_REPORT);
    await bench.say('Who saw figure 4004?');
    await bench.say('Summarise the report section by section.');
    const shown = answer.requests.map((request) =>
      [...userSideOf(request).matchAll(/Chapter (\d) is about/g)].map(([, number]) => Number(number)),
    );
    expect(shown[0]?.length).toBeLessThanOrEqual(4);
    expect(shown[1]).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    const { context } = await bench.service.getTurn(bench.scope, 2);
    expect(context?.tokens).toBeLessThanOrEqual(context?.budget ?? 0);
    expect(context?.tokens).toBeGreaterThan(5_000);
  });
});
