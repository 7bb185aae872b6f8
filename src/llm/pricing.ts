import type { TokenUsage } from './model.ts';
import { claudeModel } from './models.ts';

/**
 * USD for a million tokens read, of what is no language model: Voyage's and OpenAI's list prices as known in November 2026
 * and not checked (docs.voyageai.com/docs/pricing and platform.openai.com/docs/pricing have them). What runs on this machine costs nothing.
 */
const READING_PRICES: ReadonlyMap<string, number> = new Map([
  ['voyage-3.5-lite', 0.02],
  ['voyage-3.5', 0.06],
  ['voyage-3-large', 0.18],
  ['voyage-code-3', 0.18],
  ['rerank-2.5-lite', 0.02],
  ['rerank-2.5', 0.05],
  ['rerank-3-lite', 0.02],
  ['rerank-3', 0.05],
  ['text-embedding-3-small', 0.02],
  ['text-embedding-3-large', 0.13],
  ['text-embedding-ada-002', 0.1],
  ['off', 0],
  ['offline', 0],
  ['use-lite-en', 0],
]);

/** What the ids of encoders begin with that run in processes of ours. */
const ON_THIS_MACHINE = 'local/';

/**
 * USD for a search: Cohere's list prices of its search units, as known in November 2026 and not checked (cohere.com/pricing). A unit
 * is a question with up to 100 documents of some 500 tokens.
 */
const SEARCH_PRICES: ReadonlyMap<string, number> = new Map([
  ['rerank-v3.5', 0.002],
  ['rerank-v4.0-fast', 0.002],
  ['rerank-v4.0-pro', 0.0025],
]);

/**
 * What the tokens cost at list price, in USD, or null for a model whose price is not known. For an embedding model give
 * the tokens read, and for a reranker the searches as its calls.
 *
 * @param calls so many calls together have this usage. A price that goes by the length of the prompt is taken for the
 *   mean one: exact for one call, and wherever none of them is beyond the length that its price ends at
 */
export function costUsd(
  modelId: string,
  usage: Pick<TokenUsage, 'inputTokens'> & Partial<TokenUsage>,
  calls = 1,
): number | null {
  const { inputTokens, cachedTokens = 0, cacheWriteTokens = 0, outputTokens = 0 } = usage;
  const search = SEARCH_PRICES.get(modelId);
  if (search !== undefined) return calls * search;
  const reading = modelId.startsWith(ON_THIS_MACHINE) ? 0 : READING_PRICES.get(modelId);
  if (reading !== undefined) return (inputTokens * reading) / 1_000_000;
  const price = claudeModel(modelId)?.prices.find(({ upTo }) => inputTokens <= upTo * Math.max(1, calls));
  if (!price) return null;
  const plain = Math.max(0, inputTokens - cachedTokens - cacheWriteTokens);
  const input = plain * price.input + cacheWriteTokens * price.cacheWrite + cachedTokens * price.cacheRead;
  return (input + outputTokens * price.output) / 1_000_000;
}
