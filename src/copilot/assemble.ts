import type { DroppedItem } from '../contract/receipt.ts';
import type { Routing } from '../contract/routing.ts';
import { emptyState, type Mode, type ProjectState } from '../contract/state.ts';
import type { PastTurn } from '../contract/turn.ts';
import { AppError, wrongField } from '../errors.ts';
import type { Knowledge } from '../knowledge/entry.ts';
import type { ToolDefinition } from '../llm/model.ts';
import type { Passage, RecalledTurn } from '../retrieval/passage.ts';
import { countTokens } from '../text/tokens.ts';
import { type ChosenItem, type Fitted, fitToBudget } from './budget.ts';
import { contextBlock } from './sections/context-block.ts';
import { type Coverage, documentSection, matchedSpans, type SentPassage } from './sections/documents.ts';
import { decisionSection, messageSection } from './sections/ending.ts';
import { recalledSection, recentSection } from './sections/exchanges.ts';
import { coreSection, patternSection, probeSection, toolSection } from './sections/knowledge.ts';
import { SECTION_ORDER, type Section, type SectionName } from './sections/section.ts';
import { registerSection, routingContextSection, skeletonSection } from './sections/state.ts';

export interface Budgets {
  /** Tokens of a turn's prompt. */
  turn: number;
  /** The same for a turn that needs no retrieval. */
  filler: number;
  /** What the model takes in at most; where it is not said, nothing is too much. */
  window?: number;
  /** What the caller allows at most: the only thing that the assumption register is cut for. */
  limit?: number;
}

export interface AssembleInput {
  projectName: string;
  state: ProjectState;
  message: string;
  /** The project was only opened: there is no message and was no routing. */
  priming: boolean;
  decision: Routing | null;
  knowledge: Knowledge;
  tools: readonly ToolDefinition[];
  /** Best first. */
  passages: readonly Passage[];
  /** What was searched for them; null or none: nothing was. */
  coverage?: Coverage | null;
  /** Files that have nearly the same text as a passage, by its parent. */
  alsoIn?: ReadonlyMap<string, readonly string[]> | undefined;
  recalled: readonly RecalledTurn[];
  /** The always-on window, in order. */
  recent: readonly PastTurn[];
  budgets: Budgets;
}

export interface AssembledSection {
  name: SectionName;
  text: string;
  tokens: number;
  items: ChosenItem[];
}

/** Everything that one turn sends to the large model, and what it leaves out. */
export interface Assembled {
  /** With `raisedBy` in it. */
  budget: number;
  /** Tokens by which the budget was raised, so that the assumption register is whole. */
  raisedBy: number;
  tokens: number;
  mode: Mode;
  /** In the order in which they are sent; empty ones are not among them. */
  sections: AssembledSection[];
  dropped: DroppedItem[];
  passages: SentPassage[];
  recalled: RecalledTurn[];
}

/**
 * Puts a turn's prompt together: the one place that decides what is sent, in which order, within one budget that counts
 * everything (tool definitions and the provider's framing included). A turn without retrieval has the smaller budget,
 * unless its message is long (over a quarter of it) or what must be sent needs more: whether a message is too large does
 * not hang on how it was routed. The assumption register is always whole: where it does not fit, the budget is raised.
 *
 * @throws AppError `message_too_large` when the message does not fit even with all else left out, `state_too_large` when
 * the register does not fit the model
 */
export function assemble(input: AssembleInput): Assembled {
  const { sections, mode, duplicates } = draft(input);
  const frames = new Map(sections.map((section) => [section, frameTokens(section)]));
  const fitTo = (budget: number): Fitted =>
    fitToBudget(sections, { budget, limit: input.budgets.limit }, (section) => frames.get(section) ?? 0);
  const filler = input.decision?.requires_retrieval === false && !isLong(sections, input.budgets.filler);
  const wanted = filler ? input.budgets.filler : input.budgets.turn;
  let base = wanted;
  let fitted = fitTo(base);
  if (!fitted.fits && wanted < input.budgets.turn) {
    base = input.budgets.turn;
    fitted = fitTo(base);
  }
  if (!fitted.fits) throw tooLarge(fitted.tokens, fitted.budget);
  const { window = Number.POSITIVE_INFINITY } = input.budgets;
  if (fitted.budget > base && fitted.tokens > window) throw stateTooLarge(fitted.tokens, window);
  const raisedBy = Math.max(0, Math.min(fitted.budget, window) - base);
  const assembled = fitted.sections.flatMap(({ section, items }) =>
    rendered(section, frames.get(section) ?? 0, items),
  );
  const chosenIds = (name: SectionName): ChosenItem[] =>
    fitted.sections.find(({ section }) => section.name === name)?.items ?? [];
  return {
    budget: base + raisedBy,
    raisedBy,
    tokens: assembled.reduce((sum, section) => sum + section.tokens, 0),
    mode,
    sections: assembled,
    dropped: [...duplicates, ...fitted.dropped],
    passages: chosenIds('retrieved_documents').flatMap(({ item, narrowed }) => {
      const index = input.passages.findIndex((passage) => passage.parent_id === item.id);
      const passage = input.passages[index];
      if (!passage) return [];
      const spans = narrowed ? matchedSpans(passage) : [{ start: 0, end: passage.text.length }];
      return [{ marker: index + 1, passage, spans }];
    }),
    recalled: chosenIds('retrieved_turns').flatMap(({ item }) =>
      input.recalled.filter((turn) => String(turn.turn_number) === item.id),
    ),
  };
}

/** What is sent, with the instructions for research at the end of those of the copilot. */
export function withResearchTask(assembled: Assembled, text: string): Assembled {
  const task = { name: 'research_task' as const, text, tokens: countTokens(text) + 1, items: [] };
  const data = assembled.sections.findIndex(({ name }) => name === 'context_block');
  return {
    ...assembled,
    tokens: assembled.tokens + task.tokens,
    sections: assembled.sections.toSpliced(data, 0, task),
  };
}

/**
 * Refuses a message that no prompt could hold, before anything is recorded or spent: what passes here never fails in
 * `assemble`, however it is routed and whatever the state holds.
 *
 * @throws AppError `message_too_large`
 */
export function assertMessageFits(
  message: string,
  input: Pick<AssembleInput, 'knowledge' | 'tools' | 'budgets'>,
): void {
  const least = bareTokens(message, input);
  if (least > input.budgets.turn) throw tooLarge(least, input.budgets.turn);
}

const bareWithoutMessage = new WeakMap<Knowledge, WeakMap<readonly ToolDefinition[], number>>();

/** Tokens of the least prompt that the message can have, on the safe side of every routing and state. */
export function bareTokens(message: string, input: Pick<AssembleInput, 'knowledge' | 'tools'>): number {
  const known = bareWithoutMessage.get(input.knowledge) ?? new WeakMap();
  const others = known.get(input.tools) ?? leastTokens(input);
  bareWithoutMessage.set(input.knowledge, known.set(input.tools, others));
  const own = messageSection(message, false);
  return own.items.reduce((sum, { full }) => sum + full.tokens, others + frameTokens(own));
}

function leastTokens(input: Pick<AssembleInput, 'knowledge' | 'tools'>): number {
  const state = emptyState();
  const keys = (entries: Knowledge['probes'] | Knowledge['patterns']): string[] =>
    [...entries.discovery, ...entries.evaluation].map((entry) => entry.key);
  const routing = {
    ...state.routing,
    probes_fired: keys(input.knowledge.probes),
    probes_completed: keys(input.knowledge.probes),
    patterns_triggered: keys(input.knowledge.patterns),
  };
  const needed = (['discovery', 'evaluation'] as const).map((mode) => {
    const bare = [
      toolSection(input.tools),
      coreSection(input.knowledge, mode),
      skeletonSection(state, input.knowledge, mode, []),
      routingContextSection({ ...state, routing }, input.knowledge),
    ];
    return fitToBudget(bare, { budget: 0 }, frameTokens).tokens;
  });
  return Math.max(...needed) + RESERVE;
}

// For the decision, and the frames and notes of sections that have lost all their items.
const RESERVE = 450;

function draft(input: AssembleInput): { sections: Section[]; mode: Mode; duplicates: DroppedItem[] } {
  const { state, knowledge, decision } = input;
  const mode = decision?.active_mode ?? state.routing.active_mode;
  const probe = knowledge.probes[mode].find(({ key }) => key === probeKey(input)) ?? null;
  const patterns = (decision?.triggered_patterns ?? []).flatMap((key) =>
    knowledge.patterns[mode].filter((pattern) => pattern.key === key),
  );
  const allProbes = [...knowledge.probes.discovery, ...knowledge.probes.evaluation];
  const probeTitle = (key: string): string => allProbes.find((one) => one.key === key)?.title ?? key;
  const inWindow = new Set(input.recent.map((turn) => turn.turn_number));
  const recalled = recalledSection(
    input.recalled.filter((turn) => !inWindow.has(turn.turn_number)),
    probeTitle,
  );
  const duplicates = recalledSection(
    input.recalled.filter((turn) => inWindow.has(turn.turn_number)),
    probeTitle,
  ).items.map((item) => ({
    section: 'retrieved_turns' as const,
    id: item.id,
    tokens: item.full.tokens,
    reason: 'among the recent turns',
  }));
  const files = [...(decision?.relevant_files ?? []), ...input.passages.map(({ filename }) => filename)];
  const unordered: Section[] = [
    toolSection(input.tools),
    coreSection(knowledge, mode),
    probeSection(probe),
    patternSection(patterns),
    contextBlock(input.projectName, state, files),
    documentSection(input.passages, input.coverage, input.alsoIn),
    recalled,
    registerSection(state),
    skeletonSection(state, knowledge, mode, probe?.fields ?? []),
    routingContextSection(state, knowledge),
    recentSection(input.recent),
    decisionSection(decision),
    messageSection(input.message, input.priming),
  ];
  const order: readonly string[] = SECTION_ORDER;
  const sections = unordered.sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
  return { sections, mode, duplicates };
}

const probeKey = ({ decision, state }: AssembleInput): string | null =>
  decision ? decision.next_probe : state.routing.active_probe;

const isLong = (sections: readonly Section[], budget: number): boolean =>
  sections.some(
    ({ name, items }) => name === 'message' && items.some(({ full }) => full.tokens > budget / 4),
  );

const frameTokens = (section: Section): number =>
  section.open === '' && section.close === ''
    ? 0
    : countTokens(`${section.open}${section.shown?.(section.items.length) ?? ''}`) +
      countTokens(section.close) +
      1;

function rendered(section: Section, frame: number, items: ChosenItem[]): AssembledSection[] {
  if (items.length === 0 && section.always !== true) return [];
  const missing = section.items.length - items.length;
  const note = missing > 0 && section.always === true ? `(${missing} more not shown)\n` : '';
  const body = items.map(({ form }) => form.text).join('');
  return [
    {
      name: section.name,
      text: `${section.open}${section.shown?.(items.length) ?? ''}${body}${note}${section.close}`,
      tokens: items.reduce(
        (sum, { form }) => sum + form.tokens,
        frame + (note === '' ? 0 : countTokens(note)),
      ),
      items,
    },
  ];
}

function tooLarge(tokens: number, budget: number): AppError {
  const detail = `The message needs a prompt of about ${tokens} tokens, and a turn may have ${budget}. Shorten it, or upload it as a file and refer to that.`;
  return wrongField('message_too_large', { pointer: '/message', detail, code: 'message_too_large' });
}

/** The register, which is always sent whole, leaves no room for a prompt. */
export function stateTooLarge(tokens: number, window: number): AppError {
  const detail = `With the whole assumption register the prompt has about ${tokens} tokens, and the model takes ${window}. Make the register shorter (PATCH the project's state): settle what it says twice, shorten statements and evidence.`;
  return new AppError('state_too_large', { detail });
}
