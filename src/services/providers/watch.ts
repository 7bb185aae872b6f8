import type { Outage } from '../../contract/system.ts';
import { EmbeddingError, type EmbeddingModel } from '../../embeddings/model.ts';
import { type LanguageModel, ModelError, type TokenUsage } from '../../llm/model.ts';
import { costUsd } from '../../llm/pricing.ts';
import { RerankError, type RerankModel } from '../../reranking/model.ts';
import type { ProviderMetrics } from '../../telemetry/metrics/providers.ts';
import { withSpan } from '../../telemetry/tracing/span.ts';
import type { ProviderFailure, ProviderHealth, ProviderUse } from './health.ts';

/** What becomes of the service's work while the provider fails. */
const CONSEQUENCES: Record<Outage['phase'], string> = {
  answer: 'Turns fail, and can be retried.',
  route: 'Turns keep the probe of the turn before and look documents up.',
  summary: 'Extracts stand for the summaries of turns, and files have none.',
  embed: 'Uploads wait or fail, and searches go by words alone.',
  rerank: 'Searches give what they have found in the order of their own.',
};

const PROBLEMS: Record<Exclude<Outage['problem'], 'settings'>, string> = {
  unavailable: 'The provider cannot be reached or does not take the call.',
  timeout: 'The provider does not answer in time.',
  rejected: 'The provider refuses the request.',
};

/** Where calls are noted. */
export interface Watchers {
  health: ProviderHealth;
  metrics: { providers: ProviderMetrics };
}

/** The model, whose calls are noted. */
export function watchModel(model: LanguageModel, phase: Outage['phase'], watchers: Watchers): LanguageModel {
  const { providers } = watchers.metrics;
  const use = { phase, provider: model.provider, model: model.id };
  // priced as the model that answered, counted under the configured one: what a provider names has no end
  const spend = (usage: TokenUsage, answered: string): void =>
    providers.spent(use, usage, costUsd(answered, usage));
  return {
    ...model,
    async generate(request) {
      const call = () =>
        model.generate({
          ...request,
          onLost(usage, answered) {
            spend(usage, answered);
            request.onLost?.(usage, answered);
          },
          onWait(wait) {
            providers.retried(use, wait.rateLimited);
            request.onWait?.(wait);
          },
        });
      const generation = await noted(
        call,
        { use, usageOf: ({ usage }) => usage, signal: request.signal },
        watchers,
      );
      spend(generation.usage, generation.model);
      return generation;
    },
  };
}

/** The same for an embedding model. */
export function watchEmbeddingModel(model: EmbeddingModel, watchers: Watchers): EmbeddingModel {
  const { health } = watchers;
  const { providers } = watchers.metrics;
  const use = { phase: 'embed' as const, provider: model.provider, model: model.id };
  return {
    ...model,
    async embed(texts, options) {
      const call = () =>
        model.embed(texts, {
          ...options,
          onWait(wait) {
            providers.retried(use, wait.rateLimited);
            options.onWait?.(wait);
          },
        });
      const usageOf = ({ tokens }: { tokens: number }) => ({ inputTokens: tokens });
      const result = await noted(call, { use, usageOf, signal: options.signal }, watchers);
      health.embedded(options.inputType, result.tokens);
      providers.spent(use, { inputTokens: result.tokens }, costUsd(model.id, { inputTokens: result.tokens }));
      return result;
    },
  };
}

/** The same for a reranker. */
export function watchRerankModel(model: RerankModel, watchers: Watchers): RerankModel {
  const use = { phase: 'rerank' as const, provider: model.provider, model: model.id };
  return {
    ...model,
    async rerank(query, documents, options) {
      const usageOf = ({ tokens }: { tokens: number }) => ({ inputTokens: tokens });
      const call = () => model.rerank(query, documents, options);
      const result = await noted(call, { use, usageOf, signal: options.signal }, watchers);
      const used = { inputTokens: result.tokens };
      watchers.metrics.providers.spent(use, used, costUsd(model.id, used, result.calls));
      return result;
    },
  };
}

/** What is no provider but a part of the service. */
const HERE: ReadonlySet<string> = new Set(['local', 'offline', 'off']);

/** What calls are, in traces, that are no conversation. */
const OPERATIONS: { [Phase in Outage['phase']]?: string } = { embed: 'embeddings', rerank: 'rerank' };

/** What is called, and what of it is noted. */
interface Noted<T> {
  use: ProviderUse;
  usageOf: (result: T) => Partial<TokenUsage>;
  signal: AbortSignal | undefined;
}

function noted<T>(
  call: () => Promise<T>,
  { use, usageOf, signal }: Noted<T>,
  { health, metrics }: Watchers,
): Promise<T> {
  const from = performance.now();
  const tell = (outcome: string): void =>
    metrics.providers.called(use, outcome, (performance.now() - from) / 1_000);
  const operation = OPERATIONS[use.phase] ?? 'chat';
  const attributes = {
    'gen_ai.operation.name': operation,
    'gen_ai.provider.name': use.provider,
    'gen_ai.request.model': use.model,
    'forge.phase': use.phase,
  };
  const terms = { attributes, ...(!HERE.has(use.provider) && { kind: 'client' as const }) };
  return withSpan(`${operation} ${use.model}`, terms, async (span) => {
    try {
      const result = await call();
      tell('ok');
      health.succeeded(use);
      span.set(usageAttributes(usageOf(result)));
      return result;
    } catch (error) {
      const problem = problemOf(error, signal);
      // what neither the caller nor the provider is to blame for is a fault of ours
      const outcome = problem ?? (signal?.aborted ? 'aborted' : 'internal');
      tell(outcome);
      span.fail(outcome);
      if (problem) health.failed(use, failureOf(use.phase, problem, error));
      throw error;
    }
  });
}

const usageAttributes = ({ inputTokens, outputTokens }: Partial<TokenUsage>) => ({
  ...(inputTokens !== undefined && { 'gen_ai.usage.input_tokens': inputTokens }),
  ...(outputTokens !== undefined && { 'gen_ai.usage.output_tokens': outputTokens }),
});

/** Null when the caller gave the call up: that says nothing of the provider, unless it was for want of time. */
function problemOf(error: unknown, signal: AbortSignal | undefined): Outage['problem'] | null {
  if (signal?.aborted) return isTimeout(signal.reason) ? 'timeout' : null;
  if (error instanceof ModelError) {
    if (error.advice !== undefined) return 'settings';
    return error.reason === 'aborted' ? null : error.reason;
  }
  if (!(error instanceof EmbeddingError || error instanceof RerankError)) return null;
  if (error.advice !== undefined) return 'settings';
  return error.retryable ? 'unavailable' : 'rejected';
}

const isTimeout = (reason: unknown): boolean =>
  reason instanceof DOMException && reason.name === 'TimeoutError';

function failureOf(phase: Outage['phase'], problem: Outage['problem'], cause: unknown): ProviderFailure {
  const isKnown =
    cause instanceof ModelError || cause instanceof EmbeddingError || cause instanceof RerankError;
  const advice = isKnown ? cause.advice : undefined;
  const isPostponed = cause instanceof EmbeddingError && cause.isPostponed;
  const ours = isPostponed ? 'The limits that are set for the provider are used up.' : undefined;
  const what = problem === 'settings' ? advice : (ours ?? PROBLEMS[problem]);
  return { problem, detail: `${what} ${CONSEQUENCES[phase]}`, cause };
}
