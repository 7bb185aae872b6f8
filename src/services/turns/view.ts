import type {
  AnswerStop,
  AppliedLimit,
  Citation,
  ReceiptDigest,
  RoutingView,
  Timings,
  UsageView,
  UsedStale,
} from '../../db/turn-record.ts';
import type { TurnFailure, TurnRecord, TurnStatus } from '../../db/turns.ts';

/** A turn as the contract shows it. */
export interface TurnView {
  object: 'turn';
  turn_number: number;
  status: TurnStatus;
  message: string;
  priming: boolean;
  response: string | null;
  /** Null until it was routed, and for a turn that is not. */
  routing: RoutingView | null;
  citations: Citation[];
  state_changes: Record<string, unknown>[];
  context: ReceiptDigest | null;
  used_stale: UsedStale[];
  limits_applied: AppliedLimit[];
  usage: UsageView | null;
  timings_ms: Timings | null;
  /** The model that answered; `offline` when none did. */
  model: string | null;
  /** Null for a turn without a whole reply. */
  stop_reason: AnswerStop | null;
  /** The reply was cut off at its limit of tokens. */
  truncated: boolean;
  error: TurnFailure | null;
  attempt: number;
  created_at: string;
  completed_at: string | null;
}

export function turnView(turn: TurnRecord): TurnView {
  return {
    object: 'turn',
    turn_number: turn.turnNumber,
    status: turn.status,
    message: turn.message,
    priming: turn.priming,
    response: turn.response,
    routing: turn.routing,
    citations: turn.citations,
    state_changes: turn.stateChanges,
    context: turn.context,
    used_stale: turn.usedStale,
    limits_applied: turn.limitsApplied,
    usage: turn.usage,
    timings_ms: turn.timings,
    model: turn.model,
    stop_reason: turn.stopReason,
    truncated: turn.stopReason === 'max_tokens',
    error: turn.error,
    attempt: turn.attempt,
    created_at: turn.createdAt.toISOString(),
    completed_at: turn.completedAt?.toISOString() ?? null,
  };
}
