import type { AppliedLimit } from '../contract/limits.ts';
import type { RerankReport, SearchStrategy } from '../contract/passage.ts';
import type { AnswerStop, ContextDigest, Receipt } from '../contract/receipt.ts';
import type { Routing } from '../contract/routing.ts';
import type { SpeculationReport } from '../contract/speculation.ts';
import type { UsedStale } from '../contract/staleness.ts';
import type { Timings } from '../contract/timings.ts';
import type { Assembled } from './assemble.ts';
import type { ItemKind } from './sections/section.ts';
import { type UsageByPhase, usageView } from './usage.ts';

export interface ReceiptInput {
  turnNumber: number;
  assembled: Assembled;
  decision: Routing | null;
  strategies: { documents: SearchStrategy | null; turns: SearchStrategy | null };
  /** What became of the order that a reranker was asked for; null: of none. */
  rerank: RerankReport | null;
  /** What the documents were searched for; null: they were not. */
  chosen: {
    minScore: number;
    considered: number;
    belowFloor: number;
    likeliestFile: string | null;
  } | null;
  embeddingModel: string;
  speculation: SpeculationReport | null;
  models: { router: string | null; answer: string | null };
  stopReason: AnswerStop | null;
  usage: UsageByPhase;
  timings: Timings;
  citations: { resolved: number; removed: number } | null;
  limitsApplied: AppliedLimit[];
  tokenFactor: number;
}

export function buildReceipt(input: ReceiptInput): Receipt {
  const { assembled, strategies } = input;
  const usage = usageView(input.usage);
  return {
    object: 'turn_context',
    turn_number: input.turnNumber,
    budget: assembled.budget,
    budget_raised_by: assembled.raisedBy,
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
    used_stale: usedStale(assembled),
    limits_applied: input.limitsApplied,
    token_factor: Math.round(input.tokenFactor * 1000) / 1000,
    routing: input.decision,
    retrieval: {
      ...strategies,
      rerank: input.rerank,
      min_score: input.chosen?.minScore ?? null,
      considered: input.chosen?.considered ?? 0,
      below_floor: input.chosen?.belowFloor ?? 0,
      likeliest_file: input.chosen?.likeliestFile ?? null,
      embedding_model:
        strategies.documents === null && strategies.turns === null ? null : input.embeddingModel,
    },
    speculation: input.speculation,
    models: input.models,
    stop_reason: input.stopReason,
    usage,
    cost_usd: usage.cost_usd,
    timings_ms: input.timings,
    citations: input.citations,
  };
}

const STALE_KINDS: { [Kind in ItemKind]?: UsedStale['kind'] } = {
  assumption: 'assumption',
  skeleton_field: 'skeleton_field',
  file: 'file_summary',
};

/** What a turn shows of its receipt. */
export const contextDigest = ({
  tokens,
  budget,
  sections,
  dropped,
}: Pick<Assembled, 'tokens' | 'budget' | 'sections' | 'dropped'> | Receipt): ContextDigest => ({
  tokens,
  budget,
  sections: sections.map((section) => ({ name: section.name, tokens: section.tokens })),
  dropped,
});

/** What was sent of the state although it is stale. */
function usedStale({ sections }: Pick<Assembled, 'sections'>): UsedStale[] {
  return sections.flatMap(({ items }) =>
    items.flatMap(({ item }): UsedStale[] => {
      const causes = item.details?.stale;
      const kind = STALE_KINDS[item.kind];
      return causes && kind ? [{ kind, id: item.id, causes: [...causes] }] : [];
    }),
  );
}
