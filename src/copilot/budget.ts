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
 * proportion; the middle ones keep the best of each kind; the last give up what a turn can do without at all. What no
 * step names (core instructions, tools, position, decision, the message) is always sent.
 */
export const DROP_ORDER: readonly Step[] = [
  { kind: 'recalled_turn', action: 'narrow', keep: 1 },
  { kind: 'file', action: 'drop', keep: 5, downTo: 0.08 },
  { kind: 'assumption', action: 'drop', keep: 10, downTo: 0.25 },
  { kind: 'skeleton_field', action: 'drop', keep: 5, downTo: 0.25 },
  { kind: 'recalled_turn', action: 'drop', keep: 1 },
  { kind: 'document', action: 'narrow', keep: 1 },
  { kind: 'pattern', action: 'drop', keep: 1 },
  { kind: 'recent_turn', action: 'narrow', keep: 1 },
  { kind: 'document', action: 'drop', keep: 1 },
  // one page for all that has left the window: worth more than a second earlier exchange
  { kind: 'conversation_summary', action: 'drop', keep: 0 },
  { kind: 'recalled_turn', action: 'narrow', keep: 0 },
  { kind: 'recalled_turn', action: 'drop', keep: 0 },
  { kind: 'document', action: 'narrow', keep: 0 },
  { kind: 'file', action: 'drop', keep: 0 },
  { kind: 'pattern', action: 'drop', keep: 0 },
  { kind: 'recent_turn', action: 'narrow', keep: 0 },
  { kind: 'recent_turn', action: 'drop', keep: 1 },
  { kind: 'assumption', action: 'drop', keep: 0, downTo: 0.1 },
  { kind: 'skeleton_field', action: 'drop', keep: 0, downTo: 0.1 },
  { kind: 'document', action: 'drop', keep: 0 },
  { kind: 'recent_turn', action: 'drop', keep: 0 },
  { kind: 'organisation', action: 'drop', keep: 0 },
  { kind: 'assumption', action: 'drop', keep: 0 },
  { kind: 'skeleton_field', action: 'drop', keep: 0 },
  { kind: 'probe', action: 'drop', keep: 0 },
];

export interface ChosenItem {
  item: Item;
  form: ItemForm;
  narrowed: boolean;
}

/** Sections, in their order, with what is sent of each. */
export interface Fitted {
  sections: { section: Section; frameTokens: number; items: ChosenItem[] }[];
  dropped: DroppedItem[];
  tokens: number;
  /** What cannot be left out needs more than the budget. */
  fits: boolean;
}

// "(123 more are not shown here)" in a section that lost items.
const NOTE_TOKENS = 12;

/**
 * Chooses what of the sections is sent within `budget` tokens, by `DROP_ORDER`.
 *
 * @param frameTokens tokens of a section's own opening and closing
 */
export function fitToBudget(
  sections: readonly Section[],
  budget: number,
  frameTokens: (section: Section) => number,
): Fitted {
  const fitted = sections.map((section) => ({
    section,
    frameTokens: frameTokens(section),
    items: section.items.map((item): ChosenItem => ({ item, form: item.full, narrowed: false })),
  }));
  const dropped: DroppedItem[] = [];
  const noted = new Set<SectionName>();
  const sectionTokens = (of: (typeof fitted)[number]): number =>
    of.items.length === 0 && of.section.always !== true
      ? 0
      : of.items.reduce((sum, { form }) => sum + form.tokens, of.frameTokens);
  const total = (): number =>
    fitted.reduce((sum, entry) => sum + sectionTokens(entry), noted.size * NOTE_TOKENS);
  let tokens = total();

  for (const step of DROP_ORDER) {
    if (tokens <= budget) break;
    const holders = fitted.filter((entry) => entry.items.some(({ item }) => item.kind === step.kind));
    for (const holder of holders) {
      const candidates = holder.items
        .filter(({ item }) => item.kind === step.kind)
        .sort((a, b) => a.item.value - b.item.value);
      let taken = candidates.reduce((sum, { form }) => sum + form.tokens, 0);
      const gone = new Set<ChosenItem>();
      for (const chosen of candidates.slice(0, Math.max(0, candidates.length - step.keep))) {
        if (tokens <= budget || (step.downTo !== undefined && taken <= step.downTo * budget)) break;
        let saved = 0;
        if (step.action === 'drop') {
          saved = chosen.form.tokens;
          gone.add(chosen);
          dropped.push({
            section: holder.section.name,
            id: chosen.item.id,
            tokens: chosen.item.full.tokens,
            reason: 'over budget',
          });
          if (holder.section.always === true && !noted.has(holder.section.name)) {
            noted.add(holder.section.name);
            tokens += NOTE_TOKENS;
          }
        } else if (chosen.item.narrow && !chosen.narrowed) {
          saved = chosen.form.tokens - chosen.item.narrow.tokens;
          chosen.form = chosen.item.narrow;
          chosen.narrowed = true;
        }
        tokens -= saved;
        taken -= saved;
      }
      if (gone.size > 0) holder.items = holder.items.filter((chosen) => !gone.has(chosen));
    }
    // a section that lost its last item takes its frame with it
    tokens = total();
  }
  return { sections: fitted, dropped, tokens, fits: tokens <= budget };
}
