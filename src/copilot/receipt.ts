import type { Receipt, RoutingView, Timings } from '../db/turn-record.ts';
import type { SearchStrategy } from '../retrieval/passage.ts';
import type { Assembled } from './assemble.ts';
import type { RouteDecision } from './route-decision.ts';
import { type UsageByPhase, usageView } from './usage.ts';

export interface ReceiptInput {
  turnNumber: number;
  assembled: Assembled;
  decision: RouteDecision | null;
  strategies: { documents: SearchStrategy | null; turns: SearchStrategy | null };
  embeddingModel: string;
  models: { router: string | null; answer: string | null };
  usage: UsageByPhase;
  timings: Timings;
  citations: { resolved: number; removed: number } | null;
}

export function buildReceipt(input: ReceiptInput): Receipt {
  const { assembled, strategies } = input;
  const usage = usageView(input.usage);
  return {
    object: 'turn_context',
    turn_number: input.turnNumber,
    budget: assembled.budget,
    tokens: assembled.tokens,
    sections: assembled.sections.map(({ name, tokens, items, text }) => ({
      name,
      tokens,
      items: items.map(({ item, form, narrowed }) => ({
        id: item.id,
        tokens: form.tokens,
        narrowed,
        ...item.details,
      })),
      text,
    })),
    dropped: assembled.dropped,
    routing: input.decision && routingView(input.decision),
    retrieval: {
      ...strategies,
      embedding_model:
        strategies.documents === null && strategies.turns === null ? null : input.embeddingModel,
    },
    models: input.models,
    usage,
    cost_usd: usage.cost_usd,
    timings_ms: input.timings,
    citations: input.citations,
  };
}

/** The decision in the contract's terms. */
export function routingView(decision: RouteDecision): RoutingView {
  return {
    next_probe: decision.nextProbe,
    triggered_patterns: decision.triggeredPatterns,
    active_mode: decision.activeMode,
    action: decision.action,
    requires_retrieval: decision.requiresRetrieval,
    relevant_files: decision.relevantFiles,
    reason: decision.reason,
    source: decision.source,
    notes: decision.notes,
  };
}
