import type { Usage, UsageFigures } from '../contract/usage.ts';
import type { TokenUsage } from '../llm/model.ts';
import { costUsd } from '../llm/pricing.ts';

/** The model calls of one phase of a turn or a run. */
export interface PhaseUsage extends TokenUsage {
  model: string;
  calls: number;
  /** Null for a model whose price is not known. */
  costUsd: number | null;
}

export type Phase =
  | 'route'
  | 'embed_queries'
  | 'rerank'
  | 'answer'
  | 'summary'
  | 'research'
  | 'document_summary';
export type UsageByPhase = Partial<Record<Phase, PhaseUsage>>;

const NO_USAGE: TokenUsage = { inputTokens: 0, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 0 };

/** Undefined where neither is known. */
const sumOfKnown = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined && b === undefined ? undefined : (a ?? 0) + (b ?? 0);

function addUsage(a: TokenUsage, b: TokenUsage): TokenUsage {
  const thinkingTokens = sumOfKnown(a.thinkingTokens, b.thinkingTokens);
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    cachedTokens: a.cachedTokens + b.cachedTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    ...(thinkingTokens !== undefined && { thinkingTokens }),
    ...((a.isEstimated || b.isEstimated) && { isEstimated: true as const }),
  };
}

/**
 * The usage of a phase with one more call in it. Each call is priced by itself: its price can hang on its length.
 *
 * @param of.calls what it counts for, where the provider charges by the search
 */
export function withCall(
  phase: PhaseUsage | undefined,
  model: string,
  usage: TokenUsage,
  { cost = costUsd(model, usage), calls = 1 }: { cost?: number | null; calls?: number } = {},
): PhaseUsage {
  const { calls: others, costUsd: before } = phase ?? { calls: 0, costUsd: 0 };
  return {
    ...addUsage(phase ?? NO_USAGE, usage),
    model,
    calls: others + calls,
    costUsd: before === null || cost === null ? null : before + cost,
  };
}

/** Sums the phases up. */
export function usageView(phases: UsageByPhase): Usage {
  const given = Object.entries(phases);
  const total = given.reduce((sum, [, phase]) => addUsage(sum, phase), NO_USAGE);
  const cost = given.reduce<number | null>(
    (sum, [, phase]) => (sum === null || phase.costUsd === null ? null : sum + phase.costUsd),
    0,
  );
  return {
    ...figures(total, cost),
    by_phase: Object.fromEntries(
      given.map(([name, phase]) => [
        name,
        { model: phase.model, calls: phase.calls, ...figures(phase, phase.costUsd) },
      ]),
    ),
  };
}

/** Usage of the same turn from two occasions: an earlier attempt, a summary made later. */
export function mergeUsage(a: Usage | null, b: Usage): Usage {
  if (!a) return b;
  const phases = { ...a.by_phase };
  for (const [name, phase] of Object.entries(b.by_phase)) {
    const before = phases[name];
    phases[name] = before
      ? { ...sumOf(before, phase), model: phase.model, calls: before.calls + phase.calls }
      : phase;
  }
  return { ...sumOf(a, b), by_phase: phases };
}

function sumOf(a: UsageFigures, b: UsageFigures): UsageFigures {
  const thinking = sumOfKnown(a.thinking_tokens, b.thinking_tokens);
  return {
    input_tokens: a.input_tokens + b.input_tokens,
    cached_tokens: a.cached_tokens + b.cached_tokens,
    cache_write_tokens: a.cache_write_tokens + b.cache_write_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    ...(thinking !== undefined && { thinking_tokens: thinking }),
    ...((a.estimated || b.estimated) && { estimated: true as const }),
    cost_usd: a.cost_usd === null || b.cost_usd === null ? null : rounded(a.cost_usd + b.cost_usd),
  };
}

const rounded = (usd: number): number => Math.round(usd * 1e6) / 1e6;

/** A call's tokens under the names that storage and the contract have for them. */
export const usageFigures = (usage: TokenUsage) => ({
  input_tokens: usage.inputTokens,
  cached_tokens: usage.cachedTokens,
  cache_write_tokens: usage.cacheWriteTokens,
  output_tokens: usage.outputTokens,
});

const figures = (usage: TokenUsage, cost: number | null): UsageFigures => ({
  ...usageFigures(usage),
  ...(usage.thinkingTokens !== undefined && { thinking_tokens: usage.thinkingTokens }),
  ...(usage.isEstimated && { estimated: true as const }),
  cost_usd: cost === null ? null : rounded(cost),
});
