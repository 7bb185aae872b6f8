import type { Queryable } from '../../../src/db/database.ts';
import type { Scope } from '../../../src/scope.ts';
import { insertRow, secondsFromNow } from './insert-row.ts';

interface TurnRow {
  turnNumber?: number;
  status?: 'in_progress' | 'completed' | 'failed' | 'cancelled';
  message?: string;
  response?: string | null;
  probe?: string | null;
  routing?: object | null;
  lexicalLength?: number | null;
  lockedBy?: string | null;
  lockedUntil?: Date | null;
}

/** A turn's row alone: the first turn, completed, unless told otherwise. */
export async function storeTurn(db: Queryable, scope: Scope, turn: TurnRow = {}): Promise<void> {
  const { routing = null, ...rest } = turn;
  await insertRow(db, 'turns', {
    ...scope,
    turnNumber: 1,
    status: 'completed',
    message: 'Hello.',
    routing: routing && JSON.stringify(routing),
    ...rest,
  });
}

/** What a running turn's row has while another worker holds it, for so many seconds yet; below 0: its lease has run out. */
export const heldFor = (seconds: number) =>
  ({ status: 'in_progress', lockedBy: 'another', lockedUntil: secondsFromNow(seconds) }) as const;

interface TurnEventRow {
  seq: number;
  type: string;
  data?: unknown;
  turnNumber?: number;
}

/** One recorded event of a turn that is there; pieces of an answer are recorded as one list of texts. */
export async function storeTurnEvent(db: Queryable, scope: Scope, event: TurnEventRow): Promise<void> {
  const { turnNumber = 1, data = {}, ...rest } = event;
  await insertRow(db, 'turn_events', { ...scope, turnNumber, data: JSON.stringify(data), ...rest });
}

interface TurnSummaryRow {
  turnNumber: number;
  summary: string;
  source?: 'model' | 'extract';
  vector?: Float32Array | undefined;
}

/** The summary of a turn that is there: an extract, unless told otherwise. */
export async function storeTurnSummary(db: Queryable, scope: Scope, row: TurnSummaryRow): Promise<void> {
  const { source = 'extract', vector, ...rest } = row;
  const embedding = vector ? JSON.stringify([...vector]) : null;
  await insertRow(db, 'turn_summaries', { ...scope, source, embedding, ...rest });
}
