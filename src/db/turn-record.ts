import type { Mode, StaleCause } from '../state/schema.ts';

/*
 * The JSON that a turn's row holds, in the contract's terms: what is stored is what is shown.
 */

/** Where a claim of a reply comes from; `quote` is the file's Markdown from `char_start` to `char_end`. */
export interface Citation {
  marker: number;
  filename: string;
  version: number;
  header_path: string[];
  page: number | null;
  char_start: number;
  char_end: number;
  quote: string;
  /** Null when the quote lies outside every known leaf. */
  leaf_id: string | null;
  parent_id: string;
}

/** Phase A's decision. */
export interface RoutingView {
  next_probe: string | null;
  triggered_patterns: string[];
  active_mode: Mode;
  action: 'probe' | 'synthesise' | 'switch_mode' | 'answer';
  requires_retrieval: boolean;
  relevant_files: string[];
  reason: string;
  source: 'model' | 'offline' | 'fallback' | 'override';
  /** What of the model's reply could not be used, and what was done instead. */
  notes: string[];
}

/** Tokens as the provider counted them; costs are estimates from list prices. */
export interface UsageFigures {
  input_tokens: number;
  cached_tokens: number;
  cache_write_tokens: number;
  output_tokens: number;
  /** Null when the price of a model is not known. */
  cost_usd: number | null;
}

/** A turn's model calls, summed up and by phase: `route`, `answer`, `summary`. */
export interface UsageView extends UsageFigures {
  by_phase: Record<string, UsageFigures & { model: string; calls: number }>;
}

/** Milliseconds of each step; a step that did not happen is not there. `overlap`: routing and search side by side. */
export type Timings = Partial<
  Record<'route' | 'embed' | 'retrieve' | 'overlap' | 'assemble' | 'first_token' | 'answer' | 'total', number>
>;

/** The search that was begun with the routing; milliseconds since the turn began. */
export interface SpeculationView {
  /** The probe that it went by: that of the turn before. */
  probe: string | null;
  /** When it began, as the router was asked. */
  started_ms: number;
  /** Null when it was thrown away and had not ended with the turn. */
  finished_ms: number | null;
  route_finished_ms: number;
  /** How long both were under way. */
  overlap_ms: number;
  used: boolean;
  /** `not_needed`: the message calls for no retrieval; `other_probe`: the search was made again with the new probe. */
  outcome: 'used' | 'not_needed' | 'other_probe';
}

/** How the model's reply ended; `tool_use`: it would have gone on, and had no rounds left. */
export type AnswerStop = 'end_turn' | 'max_tokens' | 'tool_use';

/** Something that did not fit the budget. */
export interface DroppedItem {
  section: string;
  id: string;
  tokens: number;
  reason: string;
}

export interface ReceiptItem {
  id: string;
  tokens: number;
  /** A shorter form of it was sent. */
  narrowed: boolean;
  [detail: string]: unknown;
}

export interface ReceiptSection {
  name: string;
  tokens: number;
  items: ReceiptItem[];
  text: string;
}

/** Something of the state that was in the prompt although a file that it was taken from has changed since. */
export interface UsedStale {
  kind: 'assumption' | 'skeleton_field' | 'file_summary';
  id: string;
  causes: StaleCause[];
}

/** What a caller allows one turn; what is left out is as configured. */
export interface TurnLimits {
  /** Tokens of any one prompt of the large model. */
  max_input_tokens?: number | undefined;
  /** Of the router, the answer and the summary together, at list prices. */
  max_cost_usd?: number | undefined;
  /** Calls to the large model; in the last one it may not change the state. */
  max_tool_rounds?: number | undefined;
}

/** What a limit changed of a turn. `exceeded`: the provider counted more than was foreseen; `from` is the limit. */
export interface AppliedLimit {
  limit: keyof TurnLimits;
  setting:
    | 'budget'
    | 'documents'
    | 'recalled_turns'
    | 'tool_rounds'
    | 'output_tokens'
    | 'summary'
    | 'exceeded';
  from: number;
  to: number;
}

/** What a turn sent, what it left out, and what it cost: kept with the turn for ever. */
export interface Receipt {
  object: 'turn_context';
  turn_number: number;
  budget: number;
  /** Counted before sending, with a stand-in for the model's own vocabulary; `usage` has the provider's count. */
  tokens: number;
  /** In the order in which they were sent. */
  sections: ReceiptSection[];
  dropped: DroppedItem[];
  used_stale: UsedStale[];
  limits_applied: AppliedLimit[];
  /** How many tokens the provider counts for one that is counted here, as learned from its replies; 1: not known. */
  token_factor: number;
  routing: RoutingView | null;
  retrieval: { documents: string | null; turns: string | null; embedding_model: string | null };
  /** Null when nothing was looked for ahead of the routing. */
  speculation: SpeculationView | null;
  models: { router: string | null; answer: string | null };
  /** Null when there was no whole reply. */
  stop_reason: AnswerStop | null;
  usage: UsageView;
  cost_usd: number | null;
  timings_ms: Timings;
  citations: { resolved: number; removed: number } | null;
}

/** What a turn shows of its receipt. */
export interface ReceiptDigest {
  tokens: number;
  budget: number;
  sections: Pick<ReceiptSection, 'name' | 'tokens'>[];
  dropped: DroppedItem[];
}
