import type { z } from 'zod';
import { check } from '../checking/check.ts';
import { MAX_TEXT, type ProjectState } from '../contract/state.ts';
import { AppError, invalidFields } from '../errors.ts';
import { STATE_TOOLS, type switchModeInput } from './inputs.ts';
import { type RegisterChange, registerAssumption, updateAssumption } from './register.ts';
import { completableProbes, notCompletable } from './routing.ts';
import { type Authorship, setSkeletonField } from './skeleton.ts';

type StateToolName = keyof typeof STATE_TOOLS;

type ToolChange = {
  [Tool in StateToolName]: { tool: Tool; input: z.infer<(typeof STATE_TOOLS)[Tool]['input']> };
}[StateToolName];

/** Everything that a turn may do to the state: the large model by its tools, the routing by `switch_mode`. */
export type StateChange = ToolChange | { tool: 'switch_mode'; input: z.infer<typeof switchModeInput> };

export interface AppliedChange {
  state: ProjectState;
  /** What came of it, for the model and for the turn's `state_changes`. */
  result: Record<string, unknown>;
}

/**
 * Reads a tool call of the large model.
 *
 * @throws AppError `unknown_field_value` (no such tool), `invalid_request` (its input is not valid), in words the model
 * can act on
 */
export function parseChange(tool: string, input: unknown): StateChange {
  if (!isStateTool(tool)) {
    throw new AppError('unknown_field_value', {
      detail: `There is no tool "${tool}". The tools are ${Object.keys(STATE_TOOLS).join(', ')}.`,
    });
  }
  const checked = check<unknown>(STATE_TOOLS[tool].input, input);
  if (checked.ok) return { tool, input: checked.value } as StateChange;
  throw invalidFields(`The input of ${tool}`, checked.errors);
}

/**
 * Applies one change; neither the state nor the change is modified.
 *
 * @throws AppError `unknown_field_value`, `dependency_cycle` or `invalid_request`, in words the model can act on
 */
export function applyChange(state: ProjectState, change: StateChange, by: Authorship): AppliedChange {
  switch (change.tool) {
    case 'register_assumption':
      return registered(state, registerAssumption(state.assumptions, change.input, by.turn, by.sources));
    case 'update_assumption':
      return registered(state, updateAssumption(state.assumptions, change.input, by.sources));
    case 'update_skeleton': {
      const { field, value } = change.input;
      const previous = state.skeleton[field]?.value ?? '';
      const skeleton = setSkeletonField(state.skeleton, field, value, by);
      const entry = skeleton[field];
      return {
        state: { ...state, skeleton },
        result: { field, value: entry?.value ?? '', previous_value: previous === '' ? null : previous },
      };
    }
    case 'update_org_context':
      return updateOrgContext(state, change.input.text, change.input.mode);
    case 'complete_probe':
      return completeProbe(state, change.input.probe);
    case 'switch_mode':
      return switchMode(state, change.input.mode);
  }
}

function isStateTool(tool: string): tool is StateToolName {
  return Object.hasOwn(STATE_TOOLS, tool);
}

function registered(
  state: ProjectState,
  { assumptions, assumption, flagged, isKnown }: RegisterChange,
): AppliedChange {
  const { id, statement, confidence, impact, status } = assumption;
  return {
    state: { ...state, assumptions },
    result: {
      id,
      statement,
      confidence,
      impact,
      status,
      put_at_risk: flagged,
      ...(isKnown && {
        already_registered: true,
        note: `${id} says this already: no other was added. What is new was added to it; update_assumption changes the rest.`,
      }),
    },
  };
}

function updateOrgContext(state: ProjectState, text: string, mode: 'append' | 'replace'): AppliedChange {
  const before = state.org_context.trim();
  const known = mode === 'append' && before.split(/\n{2,}/).includes(text);
  const org_context = mode === 'replace' || before === '' ? text : known ? before : `${before}\n\n${text}`;
  if (org_context.length > MAX_TEXT) {
    throw new AppError('invalid_request', {
      detail: `The organisation context would have ${org_context.length} characters; ${MAX_TEXT} is the most. Use mode "replace" with a shorter text that keeps what matters.`,
    });
  }
  return { state: { ...state, org_context }, result: { mode, characters: org_context.length } };
}

function completeProbe(state: ProjectState, probe: string): AppliedChange {
  const { routing } = state;
  const open = completableProbes(routing);
  if (!open.includes(probe)) throw notCompletable(routing, probe, open);
  return {
    state: {
      ...state,
      routing: {
        ...routing,
        active_probe: routing.active_probe === probe ? null : routing.active_probe,
        probes_completed: [...routing.probes_completed, probe],
      },
    },
    result: { probe },
  };
}

// A probe belongs to its mode, so that leaving the mode leaves the probe.
function switchMode(state: ProjectState, mode: ProjectState['routing']['active_mode']): AppliedChange {
  const { routing } = state;
  const previous = routing.active_mode;
  const active_probe = previous === mode ? routing.active_probe : null;
  return {
    state: { ...state, routing: { ...routing, active_mode: mode, active_probe } },
    result: { mode, previous_mode: previous },
  };
}
