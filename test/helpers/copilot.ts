import { join } from 'node:path';
import type { Routing } from '../../src/contract/routing.ts';
import { emptyState, type ProjectState } from '../../src/contract/state.ts';
import type { AssembleInput } from '../../src/copilot/assemble.ts';
import { STATE_TOOL_DEFINITIONS } from '../../src/copilot/tools.ts';
import { loadKnowledge } from '../../src/knowledge/load.ts';
import { packageRoot } from '../../src/package-root.ts';
import type { Passage, RecalledTurn } from '../../src/retrieval/passage.ts';
import { countTokens } from '../../src/text/tokens.ts';

export const knowledge = await loadKnowledge(join(packageRoot, 'knowledge'));

export const BUDGETS = { turn: 12_000, filler: 5_000 };

/** A passage whose one matched leaf is its first `leafLength` characters. */
export function passage(
  id: string,
  text: string,
  overrides: Partial<Passage> = {},
  leafLength = 200,
): Passage {
  const charStart = overrides.char_start ?? 0;
  return {
    source: 'project',
    parent_id: id,
    text,
    context_header: `[Source: ${id}.md]`,
    filename: `${id}.md`,
    media_type: 'text/markdown',
    version: 1,
    header_path: ['Findings'],
    page: null,
    score: 0.5,
    rank_score: 0.5,
    char_start: charStart,
    char_end: charStart + text.length,
    tokens: countTokens(text),
    matched_leaves: [
      {
        leaf_id: `${id}-leaf`,
        rank_score: 0.5,
        char_start: charStart,
        char_end: charStart + Math.min(leafLength, text.length),
        text: text.slice(0, leafLength),
      },
    ],
    explain: null,
    ...overrides,
  };
}

export function recalledTurn(turnNumber: number, overrides: Partial<RecalledTurn> = {}): RecalledTurn {
  return {
    turn_number: turnNumber,
    status: 'completed',
    priming: false,
    probe: 'stakeholder-mapping',
    message: `Message ${turnNumber}`,
    response: `Reply ${turnNumber}`,
    summary: `Summary ${turnNumber}`,
    score: 0.5,
    rank_score: 0.5,
    explain: null,
    ...overrides,
  };
}

export function decision(overrides: Partial<Routing> = {}): Routing {
  return {
    next_probe: 'root-cause-depth',
    triggered_patterns: [],
    active_mode: 'discovery',
    action: 'probe',
    requires_retrieval: true,
    relevant_files: [],
    reason: 'a symptom',
    source: 'model',
    notes: [],
    ...overrides,
  };
}

export function assembleInput(overrides: Partial<AssembleInput> = {}): AssembleInput {
  return {
    projectName: 'Campaign ROI',
    state: emptyState(),
    message: 'Why do our campaigns lose money?',
    priming: false,
    decision: decision(),
    knowledge,
    tools: STATE_TOOL_DEFINITIONS,
    passages: [],
    recalled: [],
    recent: [],
    budgets: BUDGETS,
    ...overrides,
  };
}

/** About so many tokens of prose that repeats nothing exactly. */
export function prose(tokens: number, seed = 'x'): string {
  const words = Array.from({ length: Math.ceil(tokens / 9) }, (_, i) => `The ${seed} team met on day ${i}.`);
  return words.join(' ');
}

/** An empty state, but for some members. */
export function stateWith(overrides: Partial<ProjectState>): ProjectState {
  return { ...emptyState(), ...overrides };
}
