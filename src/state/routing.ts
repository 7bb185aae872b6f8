import type { ProjectState } from '../contract/state.ts';
import { type AppError, wrongField } from '../errors.ts';
import { PATTERN_KEYS, PROBE_KEYS, PROBE_KEYS_BY_MODE } from '../knowledge/keys.ts';
import { unique } from './register.ts';

type Routing = ProjectState['routing'];

/**
 * Checks a routing state that a client wrote: probes and patterns exist, and the active probe is one of the active mode's.
 * An active probe that the client left as it was gives way to a new mode.
 *
 * @throws AppError `unknown_field_value` with JSON pointers into the state
 */
export function checkRouting(next: Routing, before: Routing): Routing {
  const lists = {
    probes_fired: unique(next.probes_fired),
    probes_completed: unique(next.probes_completed),
    patterns_triggered: unique(next.patterns_triggered),
  };
  checkKeys(lists.probes_fired, PROBE_KEYS, '/routing/probes_fired');
  checkKeys(lists.probes_completed, PROBE_KEYS, '/routing/probes_completed');
  checkKeys(lists.patterns_triggered, PATTERN_KEYS, '/routing/patterns_triggered');
  return { ...next, ...lists, active_probe: activeProbe(next, before) };
}

/** The probes of the active mode that were asked and are not complete. */
export function completableProbes(routing: Routing): string[] {
  const { active_mode: mode, probes_fired: fired, probes_completed: completed } = routing;
  return PROBE_KEYS_BY_MODE[mode].filter((key) => fired.includes(key) && !completed.includes(key));
}

/** Why a probe cannot be completed, and which can. */
export function notCompletable(routing: Routing, probe: string, open: readonly string[]): AppError {
  const { active_mode: mode, probes_completed: completed } = routing;
  const ofMode: readonly string[] = PROBE_KEYS_BY_MODE[mode];
  const all: readonly string[] = PROBE_KEYS;
  const why = !all.includes(probe)
    ? `There is no probe "${probe.slice(0, 80)}".`
    : !ofMode.includes(probe)
      ? `"${probe}" is no probe of the mode ${mode}, which is active.`
      : completed.includes(probe)
        ? `"${probe}" is complete already.`
        : `"${probe}" was never asked.`;
  const which =
    open.length === 0 ? 'No probe can be completed now.' : `What can be completed now: ${open.join(', ')}.`;
  return unknown('/probe', `${why} ${which}`);
}

function activeProbe(next: Routing, before: Routing): string | null {
  const keys: readonly string[] = PROBE_KEYS_BY_MODE[next.active_mode];
  if (next.active_probe === null || keys.includes(next.active_probe)) return next.active_probe;
  if (next.active_probe === before.active_probe) return null;
  throw unknown(
    '/routing/active_probe',
    `"${next.active_probe.slice(0, 80)}" is no probe of the mode ${next.active_mode}.`,
  );
}

function checkKeys(given: readonly string[], known: readonly string[], pointer: string): void {
  const missing = given.find((key) => !known.includes(key));
  if (missing !== undefined) throw unknown(pointer, `There is no "${missing.slice(0, 80)}".`);
}

const unknown = (pointer: string, detail: string): AppError =>
  wrongField('unknown_field_value', { pointer, detail, code: 'unknown' });
