import { scopedSignal } from '../scoped-signal.ts';
import { RerankError, type RerankModel, type RerankResult } from './model.ts';

/** Nobody waits for so long: the service gives a call up before. */
export const REQUEST_TIMEOUT_MS = 30_000;

/** One request to a provider, within its limits; `signal` aborts when it is given up or takes too long. */
export interface RerankRequest {
  query: string;
  documents: readonly string[];
  signal: AbortSignal;
}

/** A reranker behind a network: what it is, and how it is asked. */
export interface RemoteReranker extends Pick<RerankModel, 'provider' | 'id' | 'limits'> {
  request(request: RerankRequest): Promise<RerankResult>;
  /** A failure of `request` in the terms of the port. */
  toError(error: unknown, timedOut: boolean): RerankError;
}

/** The reranker, which is asked about more documents than a request takes in several at a time: all of them, or none. */
export function createRemoteReranker({
  provider,
  id,
  limits,
  request,
  toError,
}: RemoteReranker): RerankModel {
  return {
    provider,
    id,
    limits,
    async rerank(query, documents, { signal } = {}) {
      signal?.throwIfAborted();
      const failed = new AbortController();
      const scoped = scopedSignal([signal, failed.signal], { timeoutMs: REQUEST_TIMEOUT_MS });
      try {
        const parts = inParts(documents, limits.documentsPerCall);
        return joined(
          await Promise.all(parts.map((part) => request({ query, documents: part, signal: scoped.signal }))),
        );
      } catch (error) {
        signal?.throwIfAborted();
        throw error instanceof RerankError ? error : toError(error, scoped.timedOut);
      } finally {
        // the other parts are of no use without the one that failed
        failed.abort();
        scoped.close();
      }
    },
    close: async () => {},
  };
}

function inParts(documents: readonly string[], size: number): string[][] {
  const parts: string[][] = [];
  for (let at = 0; at < documents.length; at += size) parts.push(documents.slice(at, at + size));
  return parts;
}

const joined = (results: readonly RerankResult[]): RerankResult => ({
  scores: results.flatMap(({ scores }) => scores),
  tokens: results.reduce((sum, { tokens }) => sum + tokens, 0),
  calls: results.reduce((sum, { calls }) => sum + calls, 0),
});
