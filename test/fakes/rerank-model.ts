import type { RerankModel, RerankResult } from '../../src/reranking/model.ts';

/** What a scripted reranker does with a call. */
type Reply = (documents: readonly string[], signal: AbortSignal | undefined) => number[] | Promise<number[]>;

export interface FakeRerankModel extends RerankModel {
  /** What it was asked, call by call. */
  calls: { query: string; documents: readonly string[] }[];
}

/** A reranker that gives scores as told; the tokens of a call are its documents. */
export function fakeRerankModel(reply: Reply, limits: Partial<RerankModel['limits']> = {}): FakeRerankModel {
  const calls: FakeRerankModel['calls'] = [];
  return {
    provider: 'cohere',
    id: 'rerank-test',
    limits: { documentsPerCall: 1_000, tokensPerCall: 1_000_000, ...limits },
    calls,
    async rerank(query, documents, { signal }): Promise<RerankResult> {
      calls.push({ query, documents });
      return { scores: await reply(documents, signal), tokens: documents.length, calls: 1 };
    },
    close: async () => undefined,
  };
}

/** Never answers; rejects with the signal's reason. */
export const silence: Reply = (_, signal) =>
  new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
