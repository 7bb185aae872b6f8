import type { Receipt } from '../contract/receipt.ts';
import { type Turn, type TurnOutcome, turnOutcomeSchema, turnSchema } from '../contract/turn.ts';
import type { TurnOptions } from '../contract/turn-options.ts';
import { jsonParam, storableText } from '../text/storable.ts';

/*
 * A turn's row. What of it is shown has the names that the contract gives it, and the columns are listed from the
 * contract's schemas: a member that is added there needs a column, and nothing here. The JSON of a row is of the
 * contract's types because only what has them is written; it is not parsed again, since each answer is checked by its
 * schema when it is sent.
 */

/** A turn as it is shown, and what the service keeps of it for itself. */
export interface StoredTurn {
  turn: Turn;
  options: TurnOptions;
  /** It is in progress, and whoever worked on it has stopped saying so. */
  abandoned: boolean;
}

/** How a turn ended, with what is kept of it besides what is shown. */
export interface TurnEnd extends TurnOutcome {
  /** The probe that was active. */
  probe: string | null;
  receipt: Receipt | null;
}

/** Columns of `TURN_COLUMNS`, as a statement gives them. */
export type TurnRow = Omit<Turn, 'object' | 'truncated' | 'created_at' | 'completed_at'> & {
  created_at: Date;
  completed_at: Date | null;
  options: Partial<TurnOptions>;
  abandoned: boolean;
};

/** The columns of what is shown of a turn. */
export const SHOWN = turnSchema.omit({ object: true, truncated: true }).keyof().options;

// The receipt holds the whole prompt: a list of turns must not carry it.
/** What a statement gives of a turn, for `toStoredTurn`. */
export const TURN_COLUMNS = `${SHOWN.join(', ')}, options,
  status = 'in_progress' and (locked_until is null or locked_until < now()) as abandoned`;

/** The same of a turn that the statement itself begins or ends: nobody has abandoned it. */
export const WRITTEN_TURN_COLUMNS = `${SHOWN.join(', ')}, options, false as abandoned`;

/**
 * Whether a turn's message was a mere acknowledgement: nothing was looked up for it, by the router's own decision. Never
 * null. `isFiller` of src/copilot/past-turn.ts says the same of a turn that was read.
 */
export const IS_FILLER =
  "coalesce(routing->>'requires_retrieval' = 'false' and routing->>'source' <> 'override', false)";

/** The columns that the end of a turn writes. */
const END_COLUMNS = [...turnOutcomeSchema.keyof().options, 'probe', 'receipt'] as const;

/** Sets the columns of an ended turn, given the number of the first parameter. */
export const setEnd = (first: number): string =>
  END_COLUMNS.map((column, index) => `${column} = $${first + index}`).join(', ');

/** The parameters of `setEnd`. */
export const endParams = (end: TurnEnd): unknown[] => END_COLUMNS.map((column) => columnParam(end[column]));

/** Undoes `setEnd`, but for the status and for the usage, which the next attempt adds to. */
export const UNSET_END = END_COLUMNS.filter((column) => column !== 'status' && column !== 'usage')
  .map((column) => `${column} = default`)
  .join(', ');

/** The turn of a row. */
export function toStoredTurn({
  options,
  abandoned,
  created_at,
  completed_at,
  ...columns
}: TurnRow): StoredTurn {
  return {
    turn: {
      object: 'turn',
      ...columns,
      // those of earlier releases are all of the project
      citations: columns.citations.map((citation) => ({ ...citation, source: citation.source ?? 'project' })),
      truncated: columns.stop_reason === 'max_tokens',
      created_at: created_at.toISOString(),
      completed_at: completed_at?.toISOString() ?? null,
    },
    options: {
      retrieval: options.retrieval ?? 'auto',
      min_score: options.min_score,
      sources: options.sources,
      limits: options.limits,
      research: options.research,
    },
    abandoned,
  };
}

/** A value as the parameter of a column: text and JSON as they can be stored. */
export function columnParam(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  return typeof value === 'object' && value !== null ? jsonParam(value) : value;
}
