import MarkdownIt from 'markdown-it';
import { describe, expect, it } from 'vitest';
import { type Assumption, emptyState, type ProjectState } from '../../src/contract/state.ts';
import { renderProblemBrief, renderSolutionEvaluation } from '../../src/state/artifacts.ts';
import { countsLine, registerCounts, stateLines } from '../../src/state/lines.ts';
import { registerAssumption, updateAssumption } from '../../src/state/register.ts';
import { setSkeletonField } from '../../src/state/skeleton.ts';

const now = new Date('2025-06-01T00:00:00Z');
const markdown = new MarkdownIt({ html: true });

/** Texts of the headings that stand at the top level of the document, which is what sections are made from. */
const headings = (text: string): string[] => {
  const tokens = markdown.parse(text, {});
  return tokens.flatMap((token, index) =>
    token.type === 'heading_open' && token.level === 0
      ? [`${token.markup} ${tokens[index + 1]?.content}`]
      : [],
  );
};

const add = (
  list: Assumption[],
  confidence: Assumption['confidence'],
  impact: Assumption['impact'],
  depends_on: string[] = [],
): Assumption[] =>
  registerAssumption(
    list,
    {
      statement: `A ${confidence} belief of ${impact} impact`,
      confidence,
      impact,
      depends_on,
      evidence: ['A\ncall'],
    },
    3,
  ).assumptions;

function someState(): ProjectState {
  let assumptions = add([], 'validated', 'low');
  assumptions = add(assumptions, 'guessed', 'medium', ['a1']);
  assumptions = add(assumptions, 'informed', 'high');
  assumptions = add(assumptions, 'guessed', 'high');
  assumptions = updateAssumption(assumptions, { id: 'a1', status: 'invalidated' }).assumptions;
  let skeleton = setSkeletonField({}, 'problem_statement', 'Spend is planned too early.', { turn: 2, now });
  skeleton = setSkeletonField(skeleton, 'problem_statement', 'Spend is planned blind.', { turn: 4, now });
  skeleton = setSkeletonField(skeleton, 'recommendation', 'Test first:\n\n- two regions', {
    turn: null,
    now,
  });
  const file_summaries = [
    {
      filename: 'q3 `x`.docx',
      uploaded_at: now.toISOString(),
      summary: 'Covers\nQ3.',
      chunk_count: 3,
      version: 1,
      summary_version: 1,
    },
  ];
  return { ...emptyState(), assumptions, skeleton, file_summaries, turn_count: 4 };
}

describe('the artifacts', () => {
  it('render the same state to the same text', () => {
    expect(renderProblemBrief('ROI', someState())).toBe(
      renderProblemBrief('ROI', structuredClone(someState())),
    );
  });

  it('show confirmed values with their turn, and gaps as gaps', () => {
    const brief = renderProblemBrief('ROI', someState());
    expect(brief).toContain(
      '### Problem statement\n\nSpend is planned blind.\n\n_Set in turn 4, after 1 earlier value._\n\n### Target audience\n\n_Not established yet._',
    );
    expect(brief).toContain(
      '1 of 15 fields are established. Assumptions: 0 validated, 1 informed, 2 guessed; 1 at risk; 1 invalidated.',
    );
    expect(brief).toContain("- `q3 'x'.docx`: Covers Q3.");
    expect(renderSolutionEvaluation('ROI', someState())).toContain(
      '## Recommendation\n\n### Recommendation\n\nTest first:\n\n- two regions\n\n_Set by hand._',
    );
  });

  it('list assumptions by status, the riskiest first', () => {
    const brief = renderProblemBrief('ROI', someState());
    const ids = [...brief.matchAll(/^- \*\*(a\d)\*\*/gm)].map((match) => match[1]);
    expect(ids).toEqual(['a4', 'a3', 'a2', 'a1']);
    expect(brief).toContain(
      '- **a2** A guessed belief of medium impact (guessed; medium impact; rests on a1; turn 3)\n  - Evidence: A call',
    );
  });

  it('name what is open', () => {
    const open = renderProblemBrief('ROI', someState()).split('## Open points')[1];
    expect(open).toContain('- a4 has a high impact and is only guessed');
    expect(open).toContain('- a2 rests on something invalidated');
    expect(open).not.toContain('a1 has');
  });

  it.each([
    '# Not a heading of ours',
    'Text\n===',
    'Text\n---',
    '```js\nnever closed',
    '~~~\nnever closed',
    '<!-- never closed',
    '<script>\nnever closed',
    'One\r# Two',
    '   ## Indented',
    '> quoted\n# and out',
    '- item\n\n# and out',
  ])('keep their own structure whatever a value holds: %j', (value) => {
    const skeleton = setSkeletonField({}, 'problem_statement', value, { turn: 1, now });
    const name = `Name\n# ${value}`;
    const empty = headings(renderProblemBrief('x', emptyState()));
    const hostile = headings(renderProblemBrief(name, { ...emptyState(), skeleton }));
    expect(hostile.slice(1)).toEqual(empty.slice(1));
  });

  it('keep their structure whatever an assumption or a summary holds', () => {
    const state = someState();
    const hostile: ProjectState = {
      ...state,
      assumptions: state.assumptions.map((each) => ({
        ...each,
        statement: 'x\n\n# y\n<!--',
        evidence: ['```\n# z'],
      })),
      file_summaries: state.file_summaries.map((each) => ({
        ...each,
        filename: 'a\n# b',
        summary: '\n## c\n~~~',
      })),
    };
    expect(headings(renderSolutionEvaluation('x', hostile))).toEqual(
      headings(renderSolutionEvaluation('x', state)),
    );
  });
});

describe('stateLines', () => {
  it('sum up what is confirmed, assumed and at risk', () => {
    expect(stateLines(someState())).toEqual([
      'Problem statement: Spend is planned blind.',
      'Recommendation: Test first: - two regions',
      'Assumptions: 0 validated, 1 informed, 2 guessed; 1 at risk; 1 invalidated.',
      'At risk: a2, A guessed belief of medium impact',
    ]);
  });

  it('are empty for a new project and short for long values', () => {
    expect(stateLines(emptyState())).toEqual([]);
    const skeleton = setSkeletonField({}, 'constraints', '😀'.repeat(500), { turn: 1, now });
    const [line] = stateLines({ ...emptyState(), skeleton });
    expect(line?.length).toBeLessThan(180);
    expect(line).toMatch(/^Constraints: (?:😀)+…$/u);
  });
});

describe('registerCounts', () => {
  it('counts no invalidated assumption under its confidence', () => {
    const counts = registerCounts(someState());
    expect(counts).toEqual({ validated: 0, informed: 1, guessed: 2, at_risk: 1, invalidated: 1 });
    expect(countsLine({ ...counts, at_risk: 0, invalidated: 0 })).toBe('0 validated, 1 informed, 2 guessed');
  });
});
