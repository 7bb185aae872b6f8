import { createVoyageClient, type VoyageConnection } from '../voyage/client.ts';
import { readVoyageFailure } from '../voyage/failure.ts';
import { RerankError, type RerankModel } from './model.ts';
import { readScores } from './read-scores.ts';
import { createRemoteReranker, REQUEST_TIMEOUT_MS } from './remote.ts';

/**
 * What Voyage takes in one call: 1,000 documents and 600,000 tokens of its own, in which the question counts once for each
 * document; it makes more tokens of a text than Forge counts (`voyageLimits` of the embeddings). As known in November 2026;
 * docs.voyageai.com/reference/reranker-api has them as they are now.
 */
const LIMITS = { documentsPerCall: 1_000, tokensPerCall: 360_000 };

/** Voyage's rerankers. */
export function createVoyageReranker(connection: VoyageConnection & { model: string }): RerankModel {
  const { model } = connection;
  const settings = { key: 'VOYAGE_API_KEY', model: 'RERANK_MODEL' };
  const client = createVoyageClient(connection, REQUEST_TIMEOUT_MS);
  return createRemoteReranker({
    provider: 'voyage',
    id: model,
    limits: LIMITS,
    request: async ({ query, documents, signal }) => {
      // what is too long for the model is cut off: of a candidate the beginning is better than no order at all
      const reply = await client.rerank(
        { query, documents: [...documents], model, truncation: true },
        { abortSignal: signal },
      );
      const expected = { name: 'Voyage', count: documents.length, score: 'relevanceScore' };
      const tokens = reply?.usage?.totalTokens;
      return {
        // the SDK hands a body that is not JSON through as an object without data
        scores: readScores(reply?.data, expected),
        tokens: typeof tokens === 'number' && tokens > 0 ? tokens : 0,
        calls: 1,
      };
    },
    toError: (error, timedOut) =>
      new RerankError(readVoyageFailure(error, timedOut, { name: 'Voyage', model, settings })),
  });
}
