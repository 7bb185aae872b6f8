import { performance } from 'node:perf_hooks';
import type { AppliedLimit } from '../../contract/limits.ts';
import type { RerankReport, SearchStrategy } from '../../contract/passage.ts';
import type { AnswerStop, Receipt } from '../../contract/receipt.ts';
import type { Routing } from '../../contract/routing.ts';
import type { Timings } from '../../contract/timings.ts';
import type { Assembled } from '../../copilot/assemble.ts';
import { buildReceipt } from '../../copilot/receipt.ts';
import { type Phase, type UsageByPhase, withCall } from '../../copilot/usage.ts';
import type { TokenUsage } from '../../llm/model.ts';
import { costUsd } from '../../llm/pricing.ts';
import type { QuerySpent } from '../../retrieval/query-spending.ts';
import type { ChosenPassages } from './choose-passages.ts';
import type { Speculation } from './speculation.ts';

/** What is known of a turn while it runs: whatever ends it, this much goes into its row. */
export interface Journal {
  decision: Routing | null;
  assembled: Assembled | null;
  strategies: { documents: SearchStrategy | null; turns: SearchStrategy | null };
  /** What became of the order that a reranker was asked for; null: of none. */
  rerank: RerankReport | null;
  /** What of the documents was found to bear on the message; null: none were looked for. */
  chosen: ChosenPassages | null;
  /** The search that was begun with the routing. */
  speculation: Speculation | null;
  models: { router: string | null; answer: string | null };
  /** How the reply ended; null before it has. */
  stopReason: AnswerStop | null;
  citations: { resolved: number; removed: number } | null;
  /** What the caller's limits have changed. */
  limitsApplied: AppliedLimit[];
  tokenFactor: number;
  /** Tokens of the largest prompt of the large model, as its provider counted them. */
  largestPrompt: number;
  /** The reply as far as it has come. */
  partial: string;
  readonly usage: UsageByPhase;
  readonly timings: Timings;
  time(step: keyof Timings, ms: number): void;
  /** Milliseconds since the turn began. */
  elapsed(): number;
  spend(phase: Phase, usage: TokenUsage, model: string): void;
  /** A search has called a provider. */
  spendQuery(spent: QuerySpent): void;
  /** Null before the context was assembled. */
  receipt(turnNumber: number, embeddingModel: string): Receipt | null;
}

export function createJournal(): Journal {
  const startedAt = performance.now();
  const journal: Journal = {
    decision: null,
    assembled: null,
    strategies: { documents: null, turns: null },
    rerank: null,
    chosen: null,
    speculation: null,
    models: { router: null, answer: null },
    stopReason: null,
    citations: null,
    limitsApplied: [],
    tokenFactor: 1,
    largestPrompt: 0,
    partial: '',
    usage: {},
    timings: {},
    time(step, ms) {
      journal.timings[step] = Math.round(ms * 10) / 10;
    },
    elapsed: () => performance.now() - startedAt,
    spend(phase, usage, model) {
      journal.usage[phase] = withCall(journal.usage[phase], model, usage);
      if (phase === 'answer' || phase === 'research')
        journal.largestPrompt = Math.max(journal.largestPrompt, usage.inputTokens);
    },
    spendQuery({ phase, model, provider, tokens, calls }) {
      const usage = { inputTokens: tokens, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 0 };
      // what runs on this machine costs nothing
      const cost = provider === 'local' ? 0 : costUsd(model, usage, calls);
      journal.usage[phase] = withCall(journal.usage[phase], model, usage, { cost, calls });
    },
    receipt(turnNumber, embeddingModel) {
      const { assembled, decision, strategies, chosen, models, usage, timings, citations } = journal;
      const { limitsApplied, tokenFactor, stopReason } = journal;
      if (!assembled) return null;
      return buildReceipt({
        turnNumber,
        assembled,
        decision,
        strategies,
        rerank: journal.rerank,
        chosen,
        embeddingModel,
        speculation: journal.speculation?.view() ?? null,
        models,
        stopReason,
        usage,
        timings,
        citations,
        limitsApplied,
        tokenFactor,
      });
    },
  };
  return journal;
}
