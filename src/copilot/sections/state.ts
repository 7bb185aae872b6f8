import type { StaleCause } from '../../contract/staleness.ts';
import type { Assumption, ProjectState, SkeletonField } from '../../contract/state.ts';
import type { Knowledge } from '../../knowledge/entry.ts';
import { emptyFields } from '../../state/empty-fields.ts';
import { countsLine, registerCounts } from '../../state/lines.ts';
import { filledFields } from '../../state/skeleton.ts';
import { staleNote } from '../../state/staleness.ts';
import { countTokens } from '../../text/tokens.ts';
import { oneLine } from '../clip.ts';
import { asData, closeTag, openTag } from '../delimit.ts';
import type { Item, ItemKind, Section } from './section.ts';

const IMPACT = { high: 3, medium: 2, low: 1 };
const STATUS = { at_risk: 2, active: 1, invalidated: -10 };

/** The assumption register, one line an assumption. */
export function registerSection(state: ProjectState): Section {
  return {
    name: 'register',
    always: true,
    open: `${openTag('assumption_register')}\n${state.assumptions.length === 0 ? 'Nothing is registered yet.' : countsLine(registerCounts(state))}\n`,
    close: `${closeTag('assumption_register')}\n`,
    items: state.assumptions.map((assumption, index) =>
      line('assumption', assumption.id, assumptionLine(assumption), {
        // those that could still change a decision stay longest; among equals the newer
        value: STATUS[assumption.status] * 10 + IMPACT[assumption.impact] * 10 + index / 10_000,
        stale: assumption.stale,
      }),
    ),
  };
}

function assumptionLine(assumption: Assumption): string {
  const rests = assumption.depends_on.length === 0 ? '' : `; depends on ${assumption.depends_on.join(', ')}`;
  const evidence =
    assumption.evidence.length === 0 ? '' : `; evidence: ${assumption.evidence.map(oneLine).join(' | ')}`;
  const { id, status, confidence, impact, stale } = assumption;
  return `${id} [${status}, ${confidence}, ${impact} impact] ${oneLine(assumption.statement)}${rests}${evidence}${staleMark(stale)}`;
}

/** Tells the model that what it reads may no longer hold. */
const staleMark = (causes: readonly StaleCause[]): string =>
  causes.length === 0 ? '' : ` [STALE, confirm or correct it: ${oneLine(staleNote(causes))}]`;

/** The document skeleton: the fields that are filled, and the names of those that the mode still wants. */
export function skeletonSection(
  state: ProjectState,
  knowledge: Knowledge,
  mode: keyof Knowledge['probes'],
  probeFields: readonly SkeletonField[],
): Section {
  const filled = filledFields(state.skeleton);
  const empty = emptyFields(state.skeleton, knowledge, mode);
  return {
    name: 'skeleton',
    always: true,
    open: `${openTag('skeleton')}\n${empty.length === 0 ? '' : `Empty: ${empty.join(', ')}\n`}`,
    close: `${closeTag('skeleton')}\n`,
    items: filled.map(([field, entry], index) => {
      const source = entry.turn === null ? '' : ` (turn ${entry.turn})`;
      return line('skeleton_field', field, `${field}${source}: ${entry.value}${staleMark(entry.stale)}`, {
        value: (probeFields.includes(field) ? 100 : 0) - index,
        stale: entry.stale,
      });
    }),
  };
}

/** Where the conversation stands. A client can write any key into the state: only those that exist are shown. */
export function routingContextSection(state: ProjectState, knowledge: Knowledge): Section {
  const { routing } = state;
  const keys = (entries: Knowledge['probes'] | Knowledge['patterns'], wanted: readonly string[]): string => {
    const all = [...entries.discovery, ...entries.evaluation].map((entry) => entry.key);
    return all.filter((key) => wanted.includes(key)).join(', ') || 'none';
  };
  const active = keys(knowledge.probes, routing.active_probe === null ? [] : [routing.active_probe]);
  const facts = [
    `mode: ${routing.active_mode}; probe of the last turn: ${active}; turns so far: ${state.turn_count}`,
    `probes asked: ${keys(knowledge.probes, routing.probes_fired)}`,
    `probes completed: ${keys(knowledge.probes, routing.probes_completed)}`,
    `patterns seen: ${keys(knowledge.patterns, routing.patterns_triggered)}`,
  ].join('\n');
  const items = [line('fixed', 'position', facts, { value: 0 })];
  if (routing.conversation_summary !== '') {
    const text = `The conversation so far:\n${routing.conversation_summary}`;
    items.push(line('conversation_summary', 'conversation_summary', text, { value: 0 }));
  }
  return {
    name: 'routing_context',
    always: true,
    open: `${openTag('routing_context')}\n`,
    close: `${closeTag('routing_context')}\n`,
    items,
  };
}

function line(
  kind: ItemKind,
  id: string,
  content: string,
  { value, stale = [] }: { value: number; stale?: readonly StaleCause[] },
): Item {
  const text = `${asData(content)}\n`;
  const details = stale.length === 0 ? {} : { details: { stale } };
  return { kind, id, value, full: { text, tokens: countTokens(text) }, ...details };
}
