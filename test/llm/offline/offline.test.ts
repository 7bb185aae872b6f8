import { describe, expect, it } from 'vitest';
import { type AnswerFacts, type Facts, ModelError } from '../../../src/llm/model.ts';
import { createOfflineModel } from '../../../src/llm/offline.ts';

const model = createOfflineModel();
const request = (facts: Facts) => ({ system: [], messages: [], facts, maxOutputTokens: 1_000 });
const write = async (facts: Facts): Promise<string> => (await model.generate(request(facts))).text;

const research = `# Findings

Churn rose to 18 percent in the small-business segment.
It stayed flat elsewhere.

| segment | churn |
| --- | --- |
| enterprise | 4 percent |

- Onboarding takes eleven days on average, which customers
  call the main reason to leave.
`;
const passages = [
  { marker: 1, filename: 'research.md', headerPath: ['Findings'], text: research, score: 0.9 },
  {
    marker: 2,
    filename: 'plan.md',
    headerPath: [],
    score: 0.5,
    text: 'The launch is planned for June.\n\nThe sponsor is Maria.',
  },
];

function answer(extra: Partial<AnswerFacts> = {}): AnswerFacts {
  return {
    task: 'answer',
    message: 'What do we know about churn?',
    priming: false,
    action: 'answer',
    projectName: 'Retention',
    passages,
    coverage: { considered: 3, likeliestFile: 'research.md' },
    recalledTurns: [],
    recentTurns: [],
    probe: {
      title: 'Root Cause Depth',
      questions: [
        'What happened before?',
        'Who noticed it first?',
        'Which part can you change?',
        'What did you try?',
      ],
    },
    patterns: [],
    stateLines: [],
    skeleton: [],
    assumptions: [],
    files: [
      { filename: 'research.md', summary: 'Why customers leave.' },
      { filename: 'plan.md', summary: '' },
    ],
    ...extra,
  };
}

/** What stands between quotation marks before a marker, with the marker. */
function quotesOf(text: string): { quote: string; marker: number }[] {
  return [...text.matchAll(/“([^”]*)” \[(\d+)\]/g)].map(([, quote = '', marker]) => ({
    quote,
    marker: Number(marker),
  }));
}

describe('answers', () => {
  it('quote the sentences on the matter, word for word, with their markers', async () => {
    const quotes = quotesOf(await write(answer()));
    expect(quotes[0]).toEqual({
      quote: 'Churn rose to 18 percent in the small-business segment.',
      marker: 1,
    });
    for (const { quote, marker } of quotes) {
      expect(passages.find((passage) => passage.marker === marker)?.text).toContain(quote);
    }
  });

  it('quote list items as they stand, and table rows with the names of their columns', async () => {
    const text = await write(
      answer({ message: 'How long does onboarding take, and what is enterprise churn?' }),
    );
    const [item] = quotesOf(text).map(({ quote }) => quote);
    expect(item?.startsWith('Onboarding takes eleven days on average, which customers\n')).toBe(true);
    expect(research).toContain(item);
    expect(text).toContain('segment: enterprise; churn: 4 percent [1]');
  });

  it('quote the passage that has the words, not just the first', async () => {
    expect(quotesOf(await write(answer({ message: 'Who is the sponsor?' })))[0]).toEqual({
      quote: 'The sponsor is Maria.',
      marker: 2,
    });
  });

  it('say so when no sentence holds what is asked, and quote none', async () => {
    const text = await write(answer({ message: 'Who founded the company?' }));
    expect(quotesOf(text)).toEqual([]);
    expect(text).toContain('The files do not say');
    expect(text).toContain('(3 sections searched)');
    expect(text).toContain('research.md > Findings');
  });

  it('say so when nothing was found, and where an answer is likeliest', async () => {
    const text = await write(answer({ passages: [] }));
    expect(text).toContain('The files do not say');
    expect(text).toContain('likeliest research.md');
    expect(await write(answer({ passages: [], files: [] }))).toContain(
      'There is no file in this project yet',
    );
  });

  it('ask two or three questions of the probe, and one of a triggered pattern', async () => {
    const questions = (text: string) => text.match(/^\d\. .+$/gm) ?? [];
    expect(questions(await write(answer()))).toHaveLength(3);
    const pattern = { title: 'Scope Ambiguity', questions: ['Who is it not for?'] };
    const withPattern = questions(await write(answer({ patterns: [pattern] })));
    expect(withPattern).toHaveLength(3);
    expect(withPattern[2]).toBe('3. Who is it not for?');
  });

  it('ask last what was asked or is known already', async () => {
    const recalledTurns = [
      { turnNumber: 1, message: 'x', response: '1. What happened before?\n2. What did you try?' },
    ];
    const text = await write(answer({ recalledTurns, stateLines: ['Noticed first by the support lead'] }));
    expect(text).toContain('Which part can you change?');
    expect(text.indexOf('Which part')).toBeLessThan(text.indexOf('Who noticed'));
    expect(text.indexOf('Who noticed')).toBeLessThan(text.search(/What (?:happened before|did you try)\?/));
  });

  it('do not look anything up for an acknowledgement', async () => {
    const text = await write(answer({ message: 'ok, next', action: 'probe' }));
    expect(quotesOf(text)).toEqual([]);
    expect(text).toContain('On Root Cause Depth:');
  });

  it('remind of an earlier turn on the same matter', async () => {
    const recalledTurns = [
      { turnNumber: 2, message: 'The launch date moved.', response: 'Why?' },
      { turnNumber: 4, message: 'Churn is measured\nmonthly by finance.', response: 'Good.' },
    ];
    expect(await write(answer({ recalledTurns }))).toContain(
      'In turn 4 you said: “Churn is measured monthly by finance.”',
    );
  });

  it('introduce the copilot when the project opens', async () => {
    const text = await write(answer({ priming: true, message: '', passages: [] }));
    expect(text).toContain('"Retention"');
    expect(text).toContain('its 2 files: research.md, plan.md');
    expect(text).toContain('1. What happened before?');
  });

  it('sum up from the state', async () => {
    const stateLines = ['Problem statement: churn in small business', 'At risk: a2, onboarding is the cause'];
    const text = await write(answer({ action: 'synthesise', message: 'sum up', stateLines, passages: [] }));
    expect(text).toContain('- Problem statement: churn in small business\n- At risk: a2');
    const empty = await write(answer({ action: 'synthesise', message: 'sum up', passages: [] }));
    expect(empty).toContain('Nothing has been confirmed');
  });

  it('are never empty, whatever is missing', async () => {
    for (const action of ['probe', 'answer', 'synthesise', 'switch_mode'] as const) {
      const bare = { action, probe: null, passages: [], files: [], message: 'ok' };
      expect((await write(answer(bare))).trim()).not.toBe('');
    }
  });

  it('survive hostile passages', async () => {
    const texts = [
      '',
      '\u0000',
      '|'.repeat(50_000),
      '# '.repeat(20_000),
      `${'churn '.repeat(50_000)}`,
      '\ud83d churn',
    ];
    const hostile = texts.map((text, i) => ({
      marker: i + 1,
      filename: '<b>x</b>\n# y',
      headerPath: ['\n# z'],
      text,
      score: 0.9,
    }));
    const text = await write(answer({ passages: hostile }));
    expect(text).not.toMatch(/^# [yz]/m);
    for (const { quote } of quotesOf(text)) expect(quote.length).toBeLessThanOrEqual(900);
  });
});

describe('createOfflineModel', () => {
  it('streams the text in pieces, costs nothing, and says who it is', async () => {
    const pieces: string[] = [];
    const generation = await model.generate({ ...request(answer()), onText: (piece) => pieces.push(piece) });
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.join('')).toBe(generation.text);
    expect(generation).toMatchObject({ model: 'offline', stopReason: 'end_turn', toolCalls: [] });
    expect(generation.usage).toEqual({
      inputTokens: 0,
      cachedTokens: 0,
      cacheWriteTokens: 0,
      outputTokens: 0,
    });
  });

  it('gives the same reply to the same facts', async () => {
    expect(await write(answer())).toBe(await write(answer()));
  });

  it('routes in the form that the router reads', async () => {
    const text = await write({
      task: 'route',
      message: 'ok',
      activeMode: 'discovery',
      activeProbe: null,
      completedProbes: [],
      probes: [],
      patterns: [],
      filenames: [],
    });
    expect(Object.keys(JSON.parse(text))).toEqual([
      'next_probe',
      'triggered_patterns',
      'active_mode',
      'action',
      'requires_retrieval',
      'relevant_files',
      'reason',
    ]);
  });

  it('does nothing when it was aborted', async () => {
    const call = model.generate({ ...request(answer()), signal: AbortSignal.abort() });
    await expect(call).rejects.toBeInstanceOf(ModelError);
  });
});

describe('summaries', () => {
  it('of a file begin with its title', async () => {
    const summary = await write({ task: 'summarise', kind: 'file', text: research });
    expect(summary).toBe(
      'Findings: Churn rose to 18 percent in the small-business segment. It stayed flat elsewhere.',
    );
  });

  it('of a turn have both sides', async () => {
    const summary = await write({
      task: 'summarise',
      kind: 'turn',
      text: 'Legal has not agreed. They want a review.',
      response: 'Who in legal decides? And by when?',
    });
    expect(summary).toBe('User: Legal has not agreed. Copilot: Who in legal decides?');
  });

  it('stay within 300 characters, whatever the text', async () => {
    for (const text of [
      'x'.repeat(9_000),
      'word '.repeat(2_000),
      '😀'.repeat(500),
      '',
      '# \n\n---\n',
      '\u0000',
    ]) {
      for (const kind of ['file', 'turn'] as const) {
        expect((await write({ task: 'summarise', kind, text, response: text })).length).toBeLessThanOrEqual(
          300,
        );
      }
    }
  });
});
