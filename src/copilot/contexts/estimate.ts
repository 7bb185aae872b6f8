import type { ContextEstimate } from '../../contract/contexts.ts';
import type { LanguageModel } from '../../llm/model.ts';
import { claudeModel, tokenFactorOf } from '../../llm/models.ts';
import { costUsd } from '../../llm/pricing.ts';
import type { ContextPlan, DocumentPart } from './plan.ts';
import { passagesTokens, prefixTokens, USUAL_REPLY_TOKENS } from './prompt.ts';

const NOTHING = {
  leaves: 0,
  calls: 0,
  input_tokens: 0,
  cached_tokens: 0,
  cache_write_tokens: 0,
  output_tokens: 0,
};
type Figures = typeof NOTHING;

/** Tokens that a model which thinks spends on a call before it writes, at low effort: an allowance, nobody publishes it. */
const USUAL_THOUGHTS = 200;

/** What the calls of documents take, added up one by one: no plan is held longer than it is counted. */
export interface RunningEstimate {
  add(plan: ContextPlan): void;
  /** Of those that were added. */
  total(): ContextEstimate;
}

/**
 * Adds up what the calls of some documents take, in tokens of the model and at list price. The first call over a part writes its
 * beginning into the provider's cache, those that follow read it there; what the cache does not take (shorter than the model's minimum,
 * of one call alone, or of a provider that does not say what it charges for it) is counted in full.
 */
export function runningEstimate(model: Pick<LanguageModel, 'id' | 'provider'>): RunningEstimate {
  let total: Figures = NOTHING;
  let cost: number | null = 0;
  return {
    add({ parts, outline }) {
      for (const part of parts) {
        const figures = ofPart(model, part, outline);
        const usd = costUsd(
          model.id,
          {
            inputTokens: figures.input_tokens,
            cachedTokens: figures.cached_tokens,
            cacheWriteTokens: figures.cache_write_tokens,
            outputTokens: figures.output_tokens,
          },
          figures.calls,
        );
        cost = cost === null || usd === null ? null : cost + usd;
        total = added(total, figures);
      }
    },
    total: () => ({
      model: model.id,
      ...total,
      cost_usd: cost === null ? null : Math.round(cost * 1e6) / 1e6,
    }),
  };
}

/** What the calls of some documents take, as `runningEstimate` counts it. */
export function estimateContexts(
  model: Pick<LanguageModel, 'id' | 'provider'>,
  plans: readonly ContextPlan[],
): ContextEstimate {
  const estimate = runningEstimate(model);
  for (const plan of plans) estimate.add(plan);
  return estimate.total();
}

function added(a: Figures, b: Figures): Figures {
  return {
    leaves: a.leaves + b.leaves,
    calls: a.calls + b.calls,
    input_tokens: a.input_tokens + b.input_tokens,
    cached_tokens: a.cached_tokens + b.cached_tokens,
    cache_write_tokens: a.cache_write_tokens + b.cache_write_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
  };
}

function ofPart(
  { id, provider }: Pick<LanguageModel, 'id' | 'provider'>,
  part: DocumentPart,
  outline: readonly string[],
): Figures {
  const factor = tokenFactorOf(id);
  const inModel = (tokens: number): number => Math.ceil(tokens * factor);
  const prefix = inModel(prefixTokens(part, outline));
  const calls = part.calls.length;
  const leaves = part.calls.flat();
  const passages = part.calls.map((call) => inModel(passagesTokens(call.map(({ tokens }) => tokens))));
  const isCached = provider === 'anthropic' && calls > 1 && prefix >= (claudeModel(id)?.cacheMinimum ?? 0);
  const thoughts = claudeModel(id)?.thinking === 'off' ? 0 : calls * USUAL_THOUGHTS;
  return {
    leaves: leaves.length,
    calls,
    input_tokens: calls * prefix + passages.reduce((sum, tokens) => sum + tokens, 0),
    cached_tokens: isCached ? (calls - 1) * prefix : 0,
    cache_write_tokens: isCached ? prefix : 0,
    output_tokens: inModel(leaves.length * USUAL_REPLY_TOKENS) + thoughts,
  };
}
