import type { Routing } from '../../contract/routing.ts';
import type { ProjectState } from '../../contract/state.ts';
import type { Turn } from '../../contract/turn.ts';
import type { MadeChange } from '../../copilot/tools.ts';
import { AppError } from '../../errors.ts';
import { applyChange, type StateChange } from '../../state/changes.ts';
import type { Authorship } from '../../state/skeleton.ts';

/** The state with a turn's routing in it; as it is when the turn was not routed. */
export function routedState(state: ProjectState, decision: Routing | null): ProjectState {
  if (!decision) return state;
  const { routing } = state;
  const add = (keys: readonly string[], more: readonly string[]): string[] => [
    ...new Set([...keys, ...more]),
  ];
  return {
    ...state,
    routing: {
      ...routing,
      active_mode: decision.active_mode,
      active_probe: decision.next_probe,
      probes_fired: add(routing.probes_fired, decision.next_probe === null ? [] : [decision.next_probe]),
      patterns_triggered: add(routing.patterns_triggered, decision.triggered_patterns),
    },
  };
}

/**
 * Repeats a turn's changes on the state as it is now: a client may have changed it while the models ran. An assumption
 * that gets another number than it had then is followed through the later changes. What can no longer be done is left
 * out and says why.
 */
export function replayChanges(
  state: ProjectState,
  changes: readonly MadeChange[],
  by: Authorship,
): { state: ProjectState; views: Turn['state_changes'] } {
  const renumbered = new Map<string, string>();
  const views: Turn['state_changes'] = [];
  let current = state;
  for (const made of changes) {
    const change = withNewIds(made.change, renumbered);
    try {
      const applied = applyChange(current, change, by);
      current = applied.state;
      if (change.tool === 'register_assumption') {
        renumbered.set(String(made.result.id), String(applied.result.id));
      }
      views.push({ ...applied.result, tool: change.tool, applied: true });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      views.push({ ...made.result, tool: change.tool, applied: false, detail: error.detail });
    }
  }
  return { state: current, views };
}

function withNewIds(change: StateChange, renumbered: ReadonlyMap<string, string>): StateChange {
  if (renumbered.size === 0) return change;
  const idOf = (id: string): string => renumbered.get(id) ?? id;
  const dependencies = (ids: string[] | undefined) => (ids ? { depends_on: ids.map(idOf) } : {});
  if (change.tool === 'register_assumption') {
    return { ...change, input: { ...change.input, ...dependencies(change.input.depends_on) } };
  }
  if (change.tool === 'update_assumption') {
    const { input } = change;
    return { ...change, input: { ...input, id: idOf(input.id), ...dependencies(input.depends_on) } };
  }
  return change;
}
