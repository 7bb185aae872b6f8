import type { TokenUsage } from './model.ts';

/** USD for a million tokens. */
interface Price {
  input: number;
  output: number;
}

/**
 * List prices: Claude's checked in November 2026 against platform.claude.com/docs/en/about-claude/pricing, Voyage's as
 * known then and not checked (docs.voyageai.com/docs/pricing has them). A model's dated name (`claude-sonnet-4-5-20250929`) has the price of its undated one.
 * What runs on this machine costs nothing.
 */
const PRICES: ReadonlyMap<string, Price> = new Map([
  ['claude-sonnet-4-5', { input: 3, output: 15 }],
  ['claude-haiku-4-5', { input: 1, output: 5 }],
  ['voyage-3.5-lite', { input: 0.02, output: 0 }],
  ['voyage-3.5', { input: 0.06, output: 0 }],
  ['voyage-3-large', { input: 0.18, output: 0 }],
  ['voyage-code-3', { input: 0.18, output: 0 }],
  ['rerank-2.5-lite', { input: 0.02, output: 0 }],
  ['offline', { input: 0, output: 0 }],
  ['use-lite-en', { input: 0, output: 0 }],
]);

/** Anthropic's factors on the input price: writing to the five-minute cache, and reading from it. */
const CACHE_WRITE = 1.25;
const CACHE_READ = 0.1;

/**
 * What the tokens cost at list price, in USD, or null for a model whose price is not known. For an embedding model give
 * the tokens read.
 */
export function costUsd(
  modelId: string,
  usage: Pick<TokenUsage, 'inputTokens'> & Partial<TokenUsage>,
): number | null {
  const price = PRICES.get(modelId.replace(/-20\d{6}$/, ''));
  if (!price) return null;
  const { inputTokens, cachedTokens = 0, cacheWriteTokens = 0, outputTokens = 0 } = usage;
  const plain = Math.max(0, inputTokens - cachedTokens - cacheWriteTokens);
  const input = plain + cacheWriteTokens * CACHE_WRITE + cachedTokens * CACHE_READ;
  return (input * price.input + outputTokens * price.output) / 1_000_000;
}
