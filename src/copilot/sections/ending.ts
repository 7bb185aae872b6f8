import type { Routing } from '../../contract/routing.ts';
import { countTokens } from '../../text/tokens.ts';
import { clipTokens, oneLine } from '../clip.ts';
import { asData, closeTag, openTag } from '../delimit.ts';
import { PRIMING_MESSAGE } from '../past-turn.ts';
import { MESSAGE_FRAMING, type Section } from './section.ts';

const REASON_TOKENS = 60;

const ADVICE: Record<Routing['action'], string> = {
  probe: "Go on with the active probe's questions.",
  answer: 'Answer what was asked first, from the documents and the state.',
  synthesise: 'Sum up what is confirmed, what is assumed and what is open before asking anything new.',
  switch_mode: 'The mode has changed: say so in one sentence, and go on in the new mode.',
};

/** What Phase A decided, for the large model. */
export function decisionSection(decision: Routing | null): Section {
  if (!decision) return { name: 'routing_decision', open: '', close: '', items: [] };
  const text = [
    openTag('routing_decision'),
    `mode: ${decision.active_mode}; probe: ${decision.next_probe ?? 'none'}; action: ${decision.action}`,
    decision.triggered_patterns.length === 0 ? '' : `patterns: ${decision.triggered_patterns.join(', ')}`,
    decision.reason === '' ? '' : `why: ${clipTokens(asData(oneLine(decision.reason)), REASON_TOKENS)}`,
    ADVICE[decision.action],
    closeTag('routing_decision'),
  ];
  const joined = `${text.filter((part) => part !== '').join('\n')}\n`;
  const full = { text: joined, tokens: countTokens(joined) };
  return {
    name: 'routing_decision',
    open: '',
    close: '',
    items: [{ kind: 'fixed', id: 'decision', value: 0, full }],
  };
}

/** The user's message, word for word, or what stands for it when the project was only opened. */
export function messageSection(message: string, priming: boolean): Section {
  const text = priming ? PRIMING_MESSAGE : message;
  const full = { text, tokens: countTokens(text) + MESSAGE_FRAMING };
  return { name: 'message', open: '', close: '', items: [{ kind: 'fixed', id: 'message', value: 0, full }] };
}
