import type { Mode } from '../../contract/state.ts';
import type { Knowledge, Pattern, Probe } from '../../knowledge/entry.ts';
import type { ToolDefinition } from '../../llm/model.ts';
import { countTokens } from '../../text/tokens.ts';
import { closeTag, openTag } from '../delimit.ts';
import type { Item, Section } from './section.ts';

// What Anthropic's documentation gives for the system prompt that tool use adds.
const TOOL_USE_OVERHEAD = 346;

const counted = new WeakMap<readonly ToolDefinition[], { text: string; tokens: number }>();

/** The tools that the model may call. Their definitions are sent in front of everything else. */
export function toolSection(tools: readonly ToolDefinition[]): Section {
  let form = counted.get(tools);
  if (!form) {
    const text = JSON.stringify(tools);
    form = { text, tokens: countTokens(text) + TOOL_USE_OVERHEAD };
    counted.set(tools, form);
  }
  const items: Item[] = tools.length === 0 ? [] : [{ kind: 'fixed', id: 'tools', value: 0, full: form }];
  return { name: 'tool_definitions', open: '', close: '', items };
}

/** The mode's core instructions, and in the evaluation mode the four risks. */
export function coreSection(knowledge: Knowledge, mode: Mode): Section {
  const core = knowledge.core[mode];
  const items: Item[] = [entry('fixed', `${mode}/core`, 0, core)];
  if (mode === 'evaluation') items.push(entry('fixed', 'evaluation/risks', 0, knowledge.risks));
  return { name: 'core_instructions', open: '', close: '', items };
}

/** The active probe's text. */
export function probeSection(probe: Probe | null): Section {
  if (!probe) return { name: 'probe', open: '', close: '', items: [] };
  return {
    name: 'probe',
    open: `${openTag('probe', { key: probe.key, title: probe.title, fields: probe.fields.join(' ') })}\n`,
    close: `${closeTag('probe')}\n`,
    items: [entry('probe', probe.key, 0, probe)],
  };
}

/** The texts of the patterns that the message triggered, the surest first. */
export function patternSection(patterns: readonly Pattern[]): Section {
  return {
    name: 'patterns',
    open: `${openTag('patterns')}\n`,
    close: `${closeTag('patterns')}\n`,
    items: patterns.map((pattern, index) => {
      const frame = { open: openTag('pattern', { title: pattern.title }), close: closeTag('pattern') };
      const tokens = pattern.tokens + countTokens(`${frame.open}\n\n${frame.close}\n`);
      const body = `${frame.open}\n${pattern.body}\n${frame.close}`;
      return entry('pattern', pattern.key, -index, { body, tokens });
    }),
  };
}

function entry(kind: Item['kind'], id: string, value: number, text: { body: string; tokens: number }): Item {
  // the line end adds one token at most
  return { kind, id, value, full: { text: `${text.body}\n`, tokens: text.tokens + 1 } };
}
