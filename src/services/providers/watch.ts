import type { Outage } from '../../contract/system.ts';
import { EmbeddingError, type EmbeddingModel } from '../../embeddings/model.ts';
import { type LanguageModel, ModelError } from '../../llm/model.ts';
import type { ProviderFailure, ProviderHealth } from './health.ts';

/** What becomes of the service's work while the provider fails. */
const CONSEQUENCES: Record<Outage['phase'], string> = {
  answer: 'Turns fail, and can be retried.',
  route: 'Turns keep the probe of the turn before and look documents up.',
  summary: 'Extracts stand for the summaries of turns, and files have none.',
  embed: 'Uploads wait or fail, and searches go by words alone.',
};

const PROBLEMS: Record<Exclude<Outage['problem'], 'settings'>, string> = {
  unavailable: 'The provider cannot be reached or does not take the call.',
  timeout: 'The provider does not answer in time.',
  rejected: 'The provider refuses the request.',
};

/** The model, whose calls are noted in `health`. */
export function watchModel(
  model: LanguageModel,
  phase: Outage['phase'],
  health: ProviderHealth,
): LanguageModel {
  const use = { phase, provider: model.provider, model: model.id };
  return {
    ...model,
    generate: (request) => noted(() => model.generate(request), use, request.signal, health),
  };
}

/** The same for an embedding model. */
export function watchEmbeddingModel(model: EmbeddingModel, health: ProviderHealth): EmbeddingModel {
  const use = { phase: 'embed' as const, provider: model.provider, model: model.id };
  return {
    ...model,
    async embed(texts, options) {
      const result = await noted(() => model.embed(texts, options), use, options.signal, health);
      health.embedded(options.inputType, result.tokens);
      return result;
    },
  };
}

async function noted<T>(
  call: () => Promise<T>,
  use: Parameters<ProviderHealth['failed']>[0],
  signal: AbortSignal | undefined,
  health: ProviderHealth,
): Promise<T> {
  try {
    const result = await call();
    health.succeeded(use);
    return result;
  } catch (error) {
    const problem = problemOf(error, signal);
    if (problem) health.failed(use, failureOf(use.phase, problem, error));
    throw error;
  }
}

/** Null when the caller gave the call up: that says nothing of the provider, unless it was for want of time. */
function problemOf(error: unknown, signal: AbortSignal | undefined): Outage['problem'] | null {
  if (signal?.aborted) return isTimeout(signal.reason) ? 'timeout' : null;
  if (error instanceof ModelError) {
    if (error.advice !== undefined) return 'settings';
    return error.reason === 'aborted' ? null : error.reason;
  }
  if (!(error instanceof EmbeddingError)) return null;
  if (error.advice !== undefined) return 'settings';
  return error.retryable ? 'unavailable' : 'rejected';
}

const isTimeout = (reason: unknown): boolean =>
  reason instanceof DOMException && reason.name === 'TimeoutError';

function failureOf(phase: Outage['phase'], problem: Outage['problem'], cause: unknown): ProviderFailure {
  const advice = cause instanceof ModelError || cause instanceof EmbeddingError ? cause.advice : undefined;
  const isPostponed = cause instanceof EmbeddingError && cause.isPostponed;
  const ours = isPostponed ? 'The limits that are set for the provider are used up.' : undefined;
  const what = problem === 'settings' ? advice : (ours ?? PROBLEMS[problem]);
  return { problem, detail: `${what} ${CONSEQUENCES[phase]}`, cause };
}
