import { z } from 'zod';
import type { FileSource } from '../contract/staleness.ts';
import type { ProjectState } from '../contract/state.ts';
import { AppError } from '../errors.ts';
import type { ToolCallPart, ToolDefinition } from '../llm/model.ts';
import { applyChange, parseChange, type StateChange } from '../state/changes.ts';
import { STATE_TOOLS } from '../state/inputs.ts';
import type { Authorship } from '../state/skeleton.ts';
import { storableJson } from '../text/storable.ts';

/** A tool as a model is told of it: its input's JSON Schema is that of the schema that checks its calls. */
export function toolDefinition(
  name: string,
  { description, input }: { description: string; input: z.ZodType },
): ToolDefinition {
  const { $schema: _, ...inputSchema } = z.toJSONSchema(input, { io: 'input' });
  return { name, description, inputSchema };
}

/** The state tools as a model is told of them: the JSON Schemas of the schemas that check its calls. */
export const STATE_TOOL_DEFINITIONS: readonly ToolDefinition[] = Object.freeze(
  Object.entries(STATE_TOOLS).map(([name, tool]) => toolDefinition(name, tool)),
);

/** A change of the state as it was made, with what came of it. */
export interface MadeChange {
  change: StateChange;
  result: Record<string, unknown>;
}

export interface ToolOutcome {
  /** The state afterwards; as before when the call was refused. */
  state: ProjectState;
  /** What the model is told. */
  content: string;
  isError: boolean;
  /** Null when the call was refused. */
  made: MadeChange | null;
}

/** The files that a change is taken from. */
export type SourcesOf = (change: StateChange) => FileSource[];

const LONGEST_REFUSAL = 1_000;

/**
 * Runs one tool call of the large model on the state, as a value. A call that names no tool or has a bad input is not a
 * failure of the turn: the model gets an error result that says what is wrong.
 *
 * @param sourcesOf the files that a change is taken from
 */
export function executeStateTool(
  state: ProjectState,
  call: Pick<ToolCallPart, 'name' | 'input'>,
  by: Omit<Authorship, 'sources'>,
  sourcesOf: SourcesOf = () => [],
): ToolOutcome {
  try {
    const change = parseChange(call.name, storableJson(call.input));
    const applied = applyChange(state, change, { ...by, sources: sourcesOf(change) });
    return {
      state: applied.state,
      content: JSON.stringify({ ok: true, ...applied.result }),
      isError: false,
      made: { change, result: applied.result },
    };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return {
      state,
      content: `Not done. ${error.detail.slice(0, LONGEST_REFUSAL)}`,
      isError: true,
      made: null,
    };
  }
}
