import type { DroppedItem } from '../contract/receipt.ts';
import type { Item, ItemForm, ItemKind, Section, SectionName } from './sections/section.ts';

/** One step of making room. */
interface Step {
  kind: ItemKind;
  action: 'narrow' | 'drop';
  /** So many items of the kind, those of highest value, are spared by this step. */
  keep: number;
  /** The step stops when items of the kind take no more than this share of the budget. */
  downTo?: number;
}

/**
 * What goes first when a prompt is over its budget: step by step from the top, within a step the item of lowest value
 * first, and no further than needed. `narrow` sends an item's shorter form (an earlier exchange's summary, a document's
 * matched leaves, a recent exchange with its middles cut out). The first steps take from kinds that have grown out of
 * proportion, then keep the best of each kind. What no step names (core instructions, tools, position, decision, the
 * message) is always sent, and so is the assumption register.
 */
const FIRST_STEPS: readonly Step[] = [
  { kind: 'recalled_turn', action: 'narrow', keep: 1 },
  { kind: 'file', action: 'drop', keep: 5, downTo: 0.08 },
  { kind: 'skeleton_field', action: 'drop', keep: 5, downTo: 0.25 },
  { kind: 'recalled_turn', action: 'drop', keep: 1 },
  { kind: 'document', action: 'narrow', keep: 1 },
  { kind: 'pattern', action: 'drop', keep: 1 },
  { kind: 'recent_turn', action: 'narrow', keep: 1 },
  { kind: 'document', action: 'drop', keep: 1 },
  // one page for all that has left the window: worth more than a second earlier exchange
  { kind: 'conversation_summary', action: 'drop', keep: 0 },
];

/**
 * These give up what a turn can do without at all. The budget has been raised by the register before, so that a long
 * register does not cost a turn the last of its documents and exchanges.
 */
const LAST_STEPS: readonly Step[] = [
  { kind: 'recalled_turn', action: 'narrow', keep: 0 },
  { kind: 'recalled_turn', action: 'drop', keep: 0 },
  { kind: 'document', action: 'narrow', keep: 0 },
  { kind: 'file', action: 'drop', keep: 0 },
  { kind: 'pattern', action: 'drop', keep: 0 },
  { kind: 'recent_turn', action: 'narrow', keep: 0 },
  { kind: 'recent_turn', action: 'drop', keep: 1 },
  { kind: 'skeleton_field', action: 'drop', keep: 0, downTo: 0.1 },
  { kind: 'document', action: 'drop', keep: 0 },
  { kind: 'recent_turn', action: 'drop', keep: 0 },
  { kind: 'organisation', action: 'drop', keep: 0 },
  { kind: 'skeleton_field', action: 'drop', keep: 0 },
  { kind: 'probe', action: 'drop', keep: 0 },
];

/** Only a caller's own limit cuts the register, when all else is gone. */
const STEPS_OF_A_LIMIT: readonly Step[] = [{ kind: 'assumption', action: 'drop', keep: 0 }];

export interface ChosenItem {
  item: Item;
  form: ItemForm;
  narrowed: boolean;
}

/** Sections, in their order, with what is sent of each. */
export interface Fitted {
  sections: FittedSection[];
  dropped: DroppedItem[];
  tokens: number;
  /** What the prompt may have had: more than was asked for where the register made it necessary. */
  budget: number;
  /** What cannot be left out needs more than the budget. */
  fits: boolean;
}

interface FittedSection {
  section: Section;
  frameTokens: number;
  items: ChosenItem[];
}

/** What a prompt may have, in tokens. */
export interface Room {
  budget: number;
  /** What a caller allows at most, if he says so: nothing raises the budget beyond it. */
  limit?: number | undefined;
}

// "(123 more are not shown here)" in a section that lost items.
const NOTE_TOKENS = 12;

/**
 * Chooses what of the sections is sent: within the budget by the first steps, and where these are not enough, by the last
 * ones within the budget and the tokens of the assumption register together.
 *
 * @param frameTokens tokens of a section's own opening and closing
 */
export function fitToBudget(
  sections: readonly Section[],
  { budget, limit = Number.POSITIVE_INFINITY }: Room,
  frameTokens: (section: Section) => number,
): Fitted {
  const draft = createDraft(sections, frameTokens);
  for (const step of FIRST_STEPS) draft.take(step, budget);
  if (draft.tokens() <= budget) return { ...draft.read(), budget, fits: true };
  const raised = Math.min(limit, budget + draft.registerTokens);
  for (const step of LAST_STEPS) draft.take(step, raised);
  if (raised === limit) for (const step of STEPS_OF_A_LIMIT) draft.take(step, raised);
  return { ...draft.read(), budget: raised, fits: draft.tokens() <= raised };
}

/** A prompt whose items are being chosen. */
function createDraft(sections: readonly Section[], frameTokens: (section: Section) => number) {
  const fitted = sections.map((section) => ({
    section,
    frameTokens: frameTokens(section),
    items: section.items.map((item): ChosenItem => ({ item, form: item.full, narrowed: false })),
  }));
  const dropped: DroppedItem[] = [];
  const noted = new Set<SectionName>();
  const sectionTokens = (of: FittedSection): number =>
    of.items.length === 0 && of.section.always !== true ? 0 : tokensOf(of.items) + of.frameTokens;
  const total = (): number =>
    fitted.reduce((sum, entry) => sum + sectionTokens(entry), noted.size * NOTE_TOKENS);
  let tokens = total();

  /** Leaves an item out; the tokens that saves. */
  function drop({ section }: FittedSection, { item, form }: ChosenItem): number {
    dropped.push({ section: section.name, id: item.id, tokens: item.full.tokens, reason: 'over budget' });
    if (section.always !== true || noted.has(section.name)) return form.tokens;
    noted.add(section.name);
    return form.tokens - NOTE_TOKENS;
  }

  return {
    /** Of the assumptions, all of which are sent but for a caller's limit. */
    registerTokens: tokensOf(
      fitted.flatMap(({ items }) => items.filter(({ item }) => item.kind === 'assumption')),
    ),
    tokens: () => tokens,
    read: () => ({ sections: fitted, dropped, tokens }),

    /** Does one step, as far as it is needed. */
    take({ kind, action, keep, downTo }: Step, budget: number): void {
      if (tokens <= budget) return;
      for (const holder of fitted) {
        const candidates = holder.items
          .filter(({ item }) => item.kind === kind)
          .sort((a, b) => a.item.value - b.item.value);
        let taken = tokensOf(candidates);
        const gone = new Set<ChosenItem>();
        for (const chosen of candidates.slice(0, Math.max(0, candidates.length - keep))) {
          if (tokens <= budget || (downTo !== undefined && taken <= downTo * budget)) break;
          const before = chosen.form.tokens;
          if (action === 'drop') {
            gone.add(chosen);
            tokens -= drop(holder, chosen);
            taken -= before;
          } else if (chosen.item.narrow && !chosen.narrowed) {
            chosen.form = chosen.item.narrow;
            chosen.narrowed = true;
            tokens -= before - chosen.form.tokens;
            taken -= before - chosen.form.tokens;
          }
        }
        holder.items = holder.items.filter((chosen) => !gone.has(chosen));
      }
      // a section that lost its last item takes its frame with it
      tokens = total();
    },
  };
}

const tokensOf = (items: readonly ChosenItem[]): number =>
  items.reduce((sum, { form }) => sum + form.tokens, 0);
