import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Assumption } from '../../src/contract/state.ts';
import { assemble, assertMessageFits } from '../../src/copilot/assemble.ts';
import { buildPrompt } from '../../src/copilot/prompt.ts';
import { SECTION_ORDER } from '../../src/copilot/sections/section.ts';
import { STATE_TOOL_DEFINITIONS } from '../../src/copilot/tools.ts';
import { AppError } from '../../src/errors.ts';
import { countTokens } from '../../src/text/tokens.ts';
import {
  assembleInput,
  BUDGETS,
  decision,
  knowledge,
  passage,
  prose,
  recalledTurn,
  stateWith,
} from '../helpers/copilot.ts';

const pastTurn = (
  turnNumber: number,
  message = `Message ${turnNumber}`,
  response = `Reply ${turnNumber}`,
) => ({
  turn_number: turnNumber,
  status: 'completed' as const,
  priming: false,
  message,
  response,
});

const assumption = (index: number, overrides: Partial<Assumption> = {}): Assumption => ({
  id: `a${index}`,
  statement: `Statement number ${index}`,
  confidence: 'guessed',
  impact: 'medium',
  status: 'active',
  depends_on: [],
  source_turn: 1,
  evidence: [],
  sources: [],
  stale: [],
  ...overrides,
});

const sectionNames = (input = assembleInput()) => assemble(input).sections.map(({ name }) => name);

describe('assemble', () => {
  it('keeps the fixed order of sections and leaves empty ones out', () => {
    const full = assembleInput({
      decision: decision({ triggered_patterns: ['metrics-mismatch'] }),
      passages: [passage('p1', 'Revenue fell.')],
      recalled: [recalledTurn(1)],
      recent: [pastTurn(4)],
    });
    expect(sectionNames(full)).toEqual([...SECTION_ORDER]);
    expect(sectionNames()).not.toContain('retrieved_documents');
    expect(sectionNames()).toContain('register');
  });

  it('says how many sections are shown of how many, and where to look when they do not answer', () => {
    const coverage = { considered: 38, likeliestFile: 'plan.md' };
    const passages = [passage('p1', 'One.'), passage('p2', prose(9_000), {}, 9_000_000)];
    const textOf = (overrides: Parameters<typeof assembleInput>[0]) =>
      assemble(assembleInput({ coverage, ...overrides })).sections.find(
        ({ name }) => name === 'retrieved_documents',
      )?.text;
    expect(textOf({ passages: passages.slice(0, 1) })).toContain('Shown: 1 of the 38 sections searched.');
    expect(textOf({ passages })).toContain('Shown: 1 of the 38');
    expect(textOf({})).toContain('Shown: 0 of the 38');
    expect(textOf({})).toContain('name the file likeliest to: plan.md.');
    expect(textOf({ coverage: null })).toBeUndefined();
  });

  it('names the other files that a passage stands in', () => {
    const input = assembleInput({ passages: [passage('p1', 'One.')], alsoIn: new Map([['p1', ['old.md']]]) });
    const documents = assemble(input).sections.find(({ name }) => name === 'retrieved_documents');
    expect(documents?.text).toContain('also_in="old.md"');
    expect(documents?.items[0]?.item.details).toMatchObject({ also_in: ['old.md'] });
  });

  it('never goes over its budget and never loses a part of the message', () => {
    const size = fc.integer({ min: 0, max: 3_000 });
    fc.assert(
      fc.property(
        fc.record({
          message: size,
          org: size,
          passages: fc.array(size, { maxLength: 4 }),
          recalled: fc.array(size, { maxLength: 3 }),
          recent: fc.array(size, { maxLength: 3 }),
          assumptions: fc.array(fc.integer({ min: 1, max: 120 }), { maxLength: 150 }),
          filler: fc.boolean(),
        }),
        (sizes) => {
          const message = `Please read this. ${prose(sizes.message, 'message')}`;
          const input = assembleInput({
            message,
            decision: decision({ requires_retrieval: !sizes.filler }),
            state: stateWith({
              org_context: prose(sizes.org, 'org').slice(0, 16_000),
              assumptions: sizes.assumptions.map((tokens, i) =>
                assumption(i + 1, { statement: prose(tokens, `a${i}`) }),
              ),
            }),
            passages: sizes.passages.map((tokens, i) =>
              passage(`p${i}`, `Parent ${i}. ${prose(tokens, `p${i}`)}`),
            ),
            recalled: sizes.recalled.map((tokens, i) =>
              recalledTurn(i + 1, { response: prose(tokens, `r${i}`) }),
            ),
            recent: sizes.recent.map((tokens, i) => pastTurn(i + 10, 'Go on.', prose(tokens, `w${i}`))),
          });
          const assembled = assemble(input);
          expect(assembled.tokens).toBeLessThanOrEqual(assembled.budget);
          expect(assembled.tokens).toBe(assembled.sections.reduce((sum, { tokens }) => sum + tokens, 0));
          const sent = assembled.sections.map(({ text }) => text).join('');
          expect(countTokens(sent)).toBeLessThanOrEqual(assembled.budget);
          const last = buildPrompt(assembled, input).messages.at(-1)?.content.at(-1);
          expect(last).toEqual({ type: 'text', text: `<message>\n${message}\n</message>\n`, cache: true });
        },
      ),
      { numRuns: 25, seed: 7 },
    );
  });

  it('accounts for every item: each is sent or dropped, with its tokens and a reason', () => {
    const passages = [0, 1, 2, 3].map((i) => passage(`p${i}`, prose(3_000, `p${i}`)));
    const assembled = assemble(assembleInput({ passages, recent: [pastTurn(1), pastTurn(2)] }));
    const section = assembled.sections.find(({ name }) => name === 'retrieved_documents');
    const sent = section?.items.map(({ item }) => item.id) ?? [];
    const dropped = assembled.dropped.map(({ id }) => id);
    expect([...sent, ...dropped].sort()).toEqual(['p0', 'p1', 'p2', 'p3']);
    for (const item of assembled.dropped) {
      expect(item).toMatchObject({ section: 'retrieved_documents', reason: 'over budget' });
      expect(item.tokens).toBeGreaterThan(3_000);
    }
  });

  it('narrows worse documents to their matched leaves before it touches the best one', () => {
    const passages = [0, 1, 2, 3].map((i) => passage(`p${i}`, prose(3_000, `p${i}`)));
    const assembled = assemble(assembleInput({ passages }));
    const items = assembled.sections.find(({ name }) => name === 'retrieved_documents')?.items ?? [];
    expect(items.map(({ item, narrowed }) => [item.id, narrowed])).toEqual([
      ['p0', false],
      ['p1', false],
      ['p2', true],
      ['p3', true],
    ]);
    expect(assembled.passages[3]?.spans).toEqual([{ start: 0, end: 200 }]);
    expect(assembled.passages[0]?.spans).toEqual([{ start: 0, end: passages[0]?.text.length }]);
  });

  it('gives up earlier exchanges and documents before recent turns, and these before the register', () => {
    const input = assembleInput({
      budgets: { turn: 5_700, filler: 5_700 },
      state: stateWith({ assumptions: [assumption(1), assumption(2, { status: 'invalidated' })] }),
      passages: [passage('p0', prose(1_500, 'p0')), passage('p1', prose(1_500, 'p1'), {}, 6_000)],
      recalled: [recalledTurn(1, { response: prose(500), summary: '' }), recalledTurn(2, { score: 0.9 })],
      recent: [pastTurn(8, 'First', prose(300)), pastTurn(9, 'Second', prose(300))],
    });
    const { dropped, sections } = assemble(input);
    expect(dropped.map(({ id }) => id)).toEqual(['1', 'p1']);
    expect(sections.find(({ name }) => name === 'recent_turns')?.items).toHaveLength(2);
    expect(sections.find(({ name }) => name === 'register')?.items).toHaveLength(2);
  });

  it('cuts the register for a limit of the caller alone: invalidated and low-impact ones first, and says how many', () => {
    const assumptions = Array.from({ length: 300 }, (_, i) =>
      assumption(i + 1, {
        statement: prose(60, `a${i}`),
        impact: i % 2 === 0 ? 'high' : 'low',
        status: i % 10 === 0 ? 'invalidated' : 'active',
      }),
    );
    const budgets = { ...BUDGETS, limit: BUDGETS.turn };
    const input = assembleInput({ state: stateWith({ assumptions }), budgets });
    const { sections, dropped, tokens, raisedBy } = assemble(input);
    const register = sections.find(({ name }) => name === 'register');
    const kept = new Set(register?.items.map(({ item }) => item.id));
    expect(kept.size).toBeGreaterThan(20);
    for (const { id, status, impact } of assumptions) {
      if (kept.has(id)) expect({ id, status, impact }).toEqual({ id, status: 'active', impact: 'high' });
    }
    const cut = dropped.filter(({ section }) => section === 'register');
    expect(register?.text).toContain(`(${cut.length} more not shown)`);
    expect(tokens).toBeLessThanOrEqual(budgets.limit);
    expect(raisedBy).toBe(0);
  });

  it('never shows a turn both verbatim and recalled', () => {
    const { sections, dropped } = assemble(
      assembleInput({ recent: [pastTurn(2), pastTurn(3)], recalled: [recalledTurn(3), recalledTurn(1)] }),
    );
    const recalled = sections.find(({ name }) => name === 'retrieved_turns');
    expect(recalled?.items.map(({ item }) => item.id)).toEqual(['1']);
    expect(recalled?.text).toContain('Turn 1 (Probe: Stakeholder Mapping)');
    expect(dropped).toMatchObject([
      { section: 'retrieved_turns', id: '3', reason: 'among the recent turns' },
    ]);
  });

  it('gives a turn without retrieval the smaller budget, unless its message is long', () => {
    const filler = decision({ requires_retrieval: false });
    const recent = [1, 2, 3].map((n) => pastTurn(n, prose(900, `m${n}`), prose(900, `r${n}`)));
    const short = assemble(assembleInput({ message: 'yes', decision: filler, recent }));
    expect(short.budget).toBe(BUDGETS.filler);
    expect(short.tokens).toBeLessThanOrEqual(BUDGETS.filler);
    expect(assemble(assembleInput({ message: prose(2_000), decision: filler })).budget).toBe(BUDGETS.turn);
  });

  it('refuses a message that cannot fit, naming the field', () => {
    const message = prose(13_000);
    for (const refuse of [
      () => assemble(assembleInput({ message })),
      () => assertMessageFits(message, { knowledge, tools: STATE_TOOL_DEFINITIONS, budgets: BUDGETS }),
    ]) {
      expect(refuse).toThrow(AppError);
      expect(refuse).toThrow(
        expect.objectContaining({
          code: 'message_too_large',
          errors: [expect.objectContaining({ pointer: '/message' })],
        }),
      );
    }
  });

  it('assembles whatever message the early check lets through, in both modes and with a full state', () => {
    const fits = (message: string): boolean => {
      try {
        assertMessageFits(message, { knowledge, tools: STATE_TOOL_DEFINITIONS, budgets: BUDGETS });
        return true;
      } catch {
        return false;
      }
    };
    let longest = '';
    for (let tokens = 11_000; longest === '' && tokens > 1_000; tokens -= 100) {
      if (fits(prose(tokens))) longest = prose(tokens);
    }
    const state = stateWith({
      org_context: prose(2_000),
      assumptions: Array.from({ length: 100 }, (_, i) => assumption(i + 1)),
      file_summaries: [
        {
          filename: 'a.md',
          uploaded_at: '2026-01-01T00:00:00Z',
          summary: prose(90),
          chunk_count: 3,
          version: 1,
          summary_version: 1,
        },
      ],
    });
    expect(longest).not.toBe('');
    for (const activeMode of ['discovery', 'evaluation'] as const) {
      const routed = decision({
        active_mode: activeMode,
        next_probe: knowledge.probes[activeMode][0]?.key ?? null,
        triggered_patterns: knowledge.patterns[activeMode].map(({ key }) => key),
        requires_retrieval: false,
        reason: prose(200),
      });
      const input = assembleInput({ message: longest, state, decision: routed, projectName: prose(300) });
      const { tokens, budget, raisedBy } = assemble(input);
      expect(tokens).toBeLessThanOrEqual(budget);
      expect(budget - raisedBy).toBe(BUDGETS.turn);
    }
  });

  it('sends the four risks in the evaluation mode, and only there', () => {
    const evaluation = assemble(
      assembleInput({ decision: decision({ active_mode: 'evaluation', next_probe: 'implementation-risk' }) }),
    );
    expect(evaluation.sections.find(({ name }) => name === 'core_instructions')?.text).toContain(
      'feasibility_risk',
    );
    expect(
      assemble(assembleInput()).sections.find(({ name }) => name === 'core_instructions')?.text,
    ).not.toContain('feasibility_risk');
  });
});
