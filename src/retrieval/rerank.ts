import type { RerankReport } from '../contract/passage.ts';
import { createPause, type SharedPause } from '../pause.ts';
import { RerankError, type RerankModel } from '../reranking/model.ts';
import { scopedSignal } from '../scoped-signal.ts';
import { firstTokens } from '../text/fit-tokens.ts';
import { countTokens } from '../text/tokens.ts';
import type { FoundPassage } from './passage.ts';
import type { OnQuerySpent } from './query-spending.ts';
import { orderAnew } from './rerank-order.ts';
import { rerankText } from './rerank-text.ts';

/** What a reranker is used with. */
export interface RerankTerms {
  /** Passages that it orders, at most. */
  candidates: number;
  /** Tokens that it reads of each, and of the question. */
  documentTokens: number;
  /** How long a search waits for it. */
  timeoutMs: number;
  /** Candidates that it gives less keep the order that they had, behind the others; undefined: it orders all. */
  minScore?: number | undefined;
  /** Pauses of its provider, where other instances keep them as well. */
  shared?: SharedPause | undefined;
  /** Told of each search that kept the order that it had, since the reranker gave none. */
  onFallback?: () => void;
  /** Milliseconds; tests have their own. */
  now?: () => number;
}

/** Passages in a new order, or in the old one, and why. */
export interface Reranked {
  hits: FoundPassage[];
  /** Null: there was nothing to order. */
  report: RerankReport | null;
}

export interface Reranker {
  /** Passages that it orders, at most. */
  readonly candidates: number;
  /**
   * Orders the first passages anew; those behind them stay. Where the reranker fails, is late or is left alone, all stay.
   * Rejects only when `signal` is aborted.
   */
  rerank(
    query: string,
    hits: readonly FoundPassage[],
    options: { signal?: AbortSignal | undefined; onSpent?: OnQuerySpent | undefined },
  ): Promise<Reranked>;
}

/** After so many failures in a row nobody waits for the reranker, for so long: each would wait in vain. */
const FAILURES_BEFORE_REST = 2;
const REST_MS = 5_000;
/** What a provider that asks for a pause and does not say for how long is given, and the longest that is kept. */
const PAUSE_SECONDS = { unsaid: 1, most: 60 };

/** A reranker for searches, which makes none of them fail and none wait for longer than it may. */
export function createReranker(model: RerankModel, terms: RerankTerms): Reranker {
  const { candidates, documentTokens, timeoutMs, minScore, shared, onFallback = () => undefined } = terms;
  const { now = () => performance.now() } = terms;
  const asked = createPause({ now, shared });
  const rest = createPause({ now });
  let failures = 0;

  /** Those that it reads, as far as a call has room for them. */
  function textsOf(query: string, hits: readonly FoundPassage[]): string[] {
    const texts: string[] = [];
    const ofQuery = countTokens(query);
    let room = model.limits.tokensPerCall;
    for (const hit of hits.slice(0, candidates)) {
      const text = rerankText(hit, documentTokens);
      room -= ofQuery + countTokens(text);
      if (room < 0) break;
      texts.push(text);
    }
    return texts;
  }

  function noteFailure(error: unknown): void {
    if (error instanceof RerankError && error.status === 429) {
      const { unsaid, most } = PAUSE_SECONDS;
      asked.begin(1_000 * Math.min(most, error.retryAfterSeconds ?? unsaid));
    }
    failures += 1;
    if (failures >= FAILURES_BEFORE_REST) rest.begin(REST_MS);
  }

  /** Its scores, or how it failed. */
  async function ask(
    query: string,
    texts: readonly string[],
    { signal, onSpent }: Parameters<Reranker['rerank']>[2],
  ): Promise<number[] | 'failed' | 'timeout'> {
    const scoped = scopedSignal([signal], { timeoutMs });
    try {
      const { scores, tokens, calls } = await model.rerank(query, texts, { signal: scoped.signal });
      const { id, provider } = model;
      onSpent?.({ phase: 'rerank', model: id, provider, tokens, calls });
      failures = 0;
      return scores;
    } catch (error) {
      signal?.throwIfAborted();
      if (!scoped.timedOut && !(error instanceof RerankError)) throw error;
      noteFailure(error);
      return scoped.timedOut ? 'timeout' : 'failed';
    } finally {
      scoped.close();
    }
  }

  return {
    candidates,
    async rerank(query, hits, options) {
      const question = firstTokens(query.trim(), documentTokens);
      const texts = hits.length < 2 || question === '' ? [] : textsOf(question, hits);
      if (texts.length < 2) return { hits: [...hits], report: null };
      const isPaused = asked.leftMs() > 0 || rest.leftMs() > 0;
      const answer = isPaused ? 'paused' : await ask(question, texts, options);
      const told = { model: model.id, candidates: texts.length };
      if (typeof answer !== 'string') {
        return { hits: orderAnew(hits, answer, minScore), report: { ...told, outcome: 'done' } };
      }
      onFallback();
      return { hits: [...hits], report: { ...told, outcome: answer } };
    },
  };
}
