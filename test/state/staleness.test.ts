import { describe, expect, it } from 'vitest';
import { emptyState, type ProjectState } from '../../src/contract/state.ts';
import { renderProblemBrief } from '../../src/state/artifacts.ts';
import { applyChange } from '../../src/state/changes.ts';
import { patchState } from '../../src/state/patch.ts';
import { markStale, staleItems } from '../../src/state/staleness.ts';

const now = new Date('2026-03-01T10:00:00Z');
const by = (sources: { filename: string; version: number }[]) => ({ turn: 1, now, sources });
const REPORT = { filename: 'report.md', version: 1 };
const NOTES = { filename: 'notes.md', version: 3 };

const file = (filename: string, version: number, summary_version: number | null = version) => ({
  filename,
  version,
  summary_version,
  summary: `About ${filename}`,
  uploaded_at: now.toISOString(),
  chunk_count: 1,
});

/** One assumption and one field, both taken from version 1 of a report that is now at `version`. */
function learned(version: number | null): ProjectState {
  const start = { ...emptyState(), file_summaries: [file('report.md', 1), file('notes.md', 3)] };
  const input = { statement: 'Churn is 4 %', confidence: 'informed', impact: 'high' } as const;
  const one = applyChange(start, { tool: 'register_assumption', input }, by([REPORT, NOTES, REPORT])).state;
  const field = { field: 'problem_statement', value: 'Customers leave' } as const;
  const two = applyChange(one, { tool: 'update_skeleton', input: field }, by([REPORT])).state;
  const files = version === null ? [file('notes.md', 3)] : [file('report.md', version), file('notes.md', 3)];
  return markStale({ ...two, file_summaries: files });
}

const cause = (to_version: number | null) => ({ filename: 'report.md', from_version: 1, to_version });

describe('markStale', () => {
  it('remembers each file once, and leaves alone what rests on the searchable versions', () => {
    const state = learned(1);
    expect(state.assumptions[0]).toMatchObject({ sources: [REPORT, NOTES], stale: [] });
    expect(state.skeleton.problem_statement).toMatchObject({ sources: [REPORT], stale: [] });
    expect(staleItems(state)).toEqual([]);
  });

  it.each([2, null])('points at the file, from version 1 to %s', (version) => {
    const state = learned(version);
    expect(state.assumptions[0]?.stale).toEqual([cause(version)]);
    expect(staleItems(state)).toMatchObject([
      { kind: 'assumption', id: 'a1', text: 'Churn is 4 %', causes: [cause(version)] },
      { kind: 'skeleton_field', id: 'problem_statement', text: 'Customers leave' },
    ]);
  });

  it('keeps the mark when a deleted file comes back under its name, and follows its version', () => {
    const gone = learned(null);
    const back = markStale({ ...gone, file_summaries: [file('report.md', 1), file('notes.md', 3)] });
    expect(back.assumptions[0]?.stale).toEqual([cause(1)]);
  });

  it('is the same when done again', () => {
    expect(markStale(learned(2))).toEqual(learned(2));
  });

  it('lists a file whose summary is of an earlier version', () => {
    const state = { ...emptyState(), file_summaries: [file('report.md', 2, 1), file('new.md', 1, null)] };
    expect(staleItems(state)).toEqual([
      {
        object: 'stale_item',
        kind: 'file_summary',
        id: 'report.md',
        text: 'About report.md',
        causes: [cause(2)],
      },
    ]);
  });
});

describe('a stale entry', () => {
  it('is confirmed by any update of a turn, and counts from the new version then', () => {
    const update = { tool: 'update_assumption', input: { id: 'a1', confidence: 'informed' } } as const;
    const { state } = applyChange(learned(2), update, by([]));
    expect(state.assumptions[0]).toMatchObject({ sources: [{ ...REPORT, version: 2 }, NOTES], stale: [] });
    const again = markStale({ ...state, file_summaries: [file('report.md', 3), file('notes.md', 3)] });
    expect(again.assumptions[0]?.stale).toEqual([{ filename: 'report.md', from_version: 2, to_version: 3 }]);
  });

  it('loses a deleted file as its source when it is confirmed', () => {
    const update = { tool: 'update_assumption', input: { id: 'a1', impact: 'low' } } as const;
    expect(applyChange(learned(null), update, by([])).state.assumptions[0]?.sources).toEqual([NOTES]);
  });

  it('is confirmed by setting the same value, with the turn and the history that it had', () => {
    const before = learned(2);
    const input = { field: 'problem_statement', value: 'Customers leave' } as const;
    const { state } = applyChange(before, { tool: 'update_skeleton', input }, by([]));
    const confirmed = {
      ...before.skeleton.problem_statement,
      sources: [{ ...REPORT, version: 2 }],
      stale: [],
    };
    expect(state.skeleton.problem_statement).toEqual(confirmed);
  });

  it('takes a new value from the files of that turn alone', () => {
    const input = { field: 'problem_statement', value: 'Customers stay' } as const;
    const { state } = applyChange(learned(2), { tool: 'update_skeleton', input }, by([NOTES]));
    expect(state.skeleton.problem_statement).toMatchObject({ sources: [NOTES], stale: [] });
  });

  it('says so in the artifacts', () => {
    const brief = renderProblemBrief('P', learned(2));
    expect(brief).toContain('Stale: report.md is now version 2, this is from version 1.');
    expect(renderProblemBrief('P', learned(1))).not.toContain('tale: report.md');
  });
});

describe('a client that writes a stale entry', () => {
  const patched = (patch: unknown) => patchState(learned(2), patch, { now });

  it('leaves the mark when it sends back what it read', () => {
    const { assumptions, skeleton } = learned(2);
    expect(patched({ assumptions, skeleton })).toEqual(learned(2));
  });

  it.each([
    ['a changed assumption', { assumptions: [{ ...learned(2).assumptions[0], impact: 'low' }] }],
    ['an emptied mark', { assumptions: [{ ...learned(2).assumptions[0], stale: [] }] }],
  ])('clears it by %s', (_what, patch) => {
    expect(patched(patch).assumptions[0]).toMatchObject({ sources: [{ version: 2 }, NOTES], stale: [] });
  });

  it.each(['Customers leave', { value: 'Customers leave' }, { value: 'Customers leave', stale: [] }])(
    'clears that of a field by naming it: %j',
    (problem_statement) => {
      expect(patched({ skeleton: { problem_statement } }).skeleton.problem_statement).toMatchObject({
        turn: 1,
        sources: [{ ...REPORT, version: 2 }],
        stale: [],
      });
    },
  );

  it('cannot make sources up', () => {
    const given = { ...learned(1).assumptions[0], sources: [{ filename: 'x.md', version: 9 }] };
    expect(patched({ assumptions: [given] }).assumptions[0]?.sources).toEqual([
      { ...REPORT, version: 2 },
      NOTES,
    ]);
    const fresh = { statement: 'New', confidence: 'guessed', impact: 'low', sources: [REPORT] };
    expect(patched({ assumptions: [fresh] }).assumptions[0]?.sources).toEqual([]);
  });
});
