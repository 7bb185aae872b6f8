import type { EmbeddingLimits } from './model.ts';

/**
 * What Voyage accepts in one call, by model, in its own tokens: 1,000 inputs, 32,000 tokens an input, and a sum that
 * depends on the model. As known in November 2026; docs.voyageai.com/docs/embeddings
 * has them as they are now.
 */
const TOKENS_PER_CALL: Readonly<Record<string, number>> = {
  'voyage-3.5-lite': 1_000_000,
  'voyage-3.5': 320_000,
  'voyage-3-large': 120_000,
  'voyage-code-3': 120_000,
};
const TOKENS_PER_INPUT = 32_000;
const INPUTS_PER_CALL = 1_000;

/**
 * Voyage's tokenizer is not the one that Forge counts with: it makes more tokens of the same text, by its own
 * documentation 1.1 to 1.2 times as many on average and more on code and rare scripts.
 */
const SAFETY = 0.6;

/** Limits for a Voyage model in Forge's tokens; a model that is not in the table gets the smallest. */
export function voyageLimits(model: string): EmbeddingLimits {
  const perCall = Object.hasOwn(TOKENS_PER_CALL, model) ? TOKENS_PER_CALL[model] : undefined;
  return {
    inputsPerCall: INPUTS_PER_CALL,
    tokensPerCall: Math.floor((perCall ?? 120_000) * SAFETY),
    tokensPerInput: Math.floor(TOKENS_PER_INPUT * SAFETY),
  };
}
