import type { RouteFacts } from '../model.ts';
import { courtesyIn } from './courtesy-reply.ts';
import { isFiller } from './filler.ts';
import { asksForAnswer, wantedMode, wantsSynthesis } from './intents.ts';
import { rankBySignals } from './signals.ts';
import { wordsOf } from './words.ts';

/** Phase A's reply, as the schema of the router has it. */
export interface OfflineRoute {
  next_probe: string | null;
  triggered_patterns: string[];
  active_mode: RouteFacts['activeMode'];
  action: 'probe' | 'synthesise' | 'switch_mode' | 'answer';
  requires_retrieval: boolean;
  relevant_files: string[];
  reason: string;
}

const MOST_PATTERNS = 2;
const MOST_FILES = 5;

/** Routes a message by rules. */
export function routeByRules(facts: RouteFacts): OfflineRoute {
  const { message, activeMode, activeProbe } = facts;
  if (isFiller(message) || courtesyIn(message) !== null) {
    return {
      next_probe: open(facts, activeMode).includes(activeProbe ?? '')
        ? activeProbe
        : nextProbe(facts, activeMode),
      triggered_patterns: [],
      active_mode: activeMode,
      action: 'probe',
      requires_retrieval: false,
      relevant_files: [],
      reason: 'The message acknowledges and neither brings nor asks for information.',
    };
  }
  const wanted = wantedMode(message);
  const mode = wanted ?? activeMode;
  const switches = wanted !== null && wanted !== activeMode;
  const signalled = rankBySignals(
    message,
    facts.probes.filter(({ key, mode: of }) => of === mode && !facts.completedProbes.includes(key)),
  );
  const [best] = signalled;
  const patterns = rankBySignals(
    message,
    facts.patterns.filter((pattern) => pattern.mode === mode),
  );
  return {
    next_probe: best?.key ?? nextProbe(facts, mode),
    triggered_patterns: patterns.slice(0, MOST_PATTERNS).map(({ key }) => key),
    active_mode: mode,
    action: switches ? 'switch_mode' : actionOf(message),
    requires_retrieval: true,
    relevant_files: namedFiles(message, facts.filenames),
    reason: switches
      ? `The message asks for the ${mode} mode.`
      : best
        ? `The message speaks for the probe "${best.title}".`
        : 'Nothing in the message speaks for a particular probe: the next open one follows.',
  };
}

function actionOf(message: string): OfflineRoute['action'] {
  if (wantsSynthesis(message)) return 'synthesise';
  return asksForAnswer(message) ? 'answer' : 'probe';
}

/** Keys of the mode's probes that are not completed. */
function open(facts: RouteFacts, mode: RouteFacts['activeMode']): string[] {
  return facts.probes
    .filter((probe) => probe.mode === mode && !facts.completedProbes.includes(probe.key))
    .map(({ key }) => key);
}

/** The first open probe after the active one, in a circle; the active one itself when it is the only one left. */
function nextProbe(facts: RouteFacts, mode: RouteFacts['activeMode']): string | null {
  const ofMode = facts.probes.filter((probe) => probe.mode === mode).map(({ key }) => key);
  const at = facts.activeProbe === null ? -1 : ofMode.indexOf(facts.activeProbe);
  const inTurn = [...ofMode.slice(at + 1), ...ofMode.slice(0, at + 1)];
  const candidates = new Set(open(facts, mode));
  return inTurn.find((key) => candidates.has(key)) ?? null;
}

/** The files that a message names: by name, or by every word of the name's stem. */
function namedFiles(message: string, filenames: readonly string[]): string[] {
  const words = wordsOf(message);
  const text = ` ${words.join(' ')} `;
  const known = new Set(words);
  return filenames
    .filter((filename) => {
      if (text.includes(` ${wordsOf(filename).join(' ')} `)) return true;
      const stem = wordsOf(filename.replace(/\.[^.]{1,8}$/, '')).filter((word) => word.length > 2);
      return stem.length > 0 && stem.every((word) => known.has(word));
    })
    .slice(0, MOST_FILES);
}
