/** How much thought a model gives to a reply, from least to most. */
export const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'] as const;
export type Effort = (typeof EFFORTS)[number];

/** USD for a million tokens, for calls whose prompt has at most `upTo` tokens, cached ones included. */
export interface PriceTier {
  upTo: number;
  input: number;
  output: number;
  /** To the cache of five minutes. */
  cacheWrite: number;
  cacheRead: number;
}

/** A setting that a model answers with HTTP 400. Sampling parameters no model takes any more. */
export type RefusedSetting = 'thinking_budget' | 'thinking_disabled' | 'forced_tool' | 'prefill';

/** What is published of a Claude model. */
export interface ClaudeModel {
  /** By the length of the prompt, the shortest first. */
  prices: readonly PriceTier[];
  /** Tokens of prompt and reply together. */
  contextWindow: number;
  /** The most tokens of one reply, its thinking included. */
  maxOutput: number;
  /** Whether it thinks in a request that does not mention thinking; `always`: it cannot be told not to. */
  thinking: 'off' | 'on' | 'always';
  refuses: readonly RefusedSetting[];
  /** The levels that `output_config.effort` takes; none where the model refuses the parameter. */
  efforts: readonly Effort[];
  /** Tokens below which a prefix marked for the cache is not kept. */
  cacheMinimum: number;
  /** Its tokens for one of the o200k vocabulary, roughly: a start, until its own figures are known. */
  tokenFactor: number;
  /** Day on which it is switched off, or before which it is not. */
  retirement: { on: string } | { notBefore: string };
}

/** Factors on the input price. */
const CACHE_WRITE = 1.25;
const CACHE_READ = 0.1;

/** A price; writing to the cache costs the same share of the input price everywhere, reading mostly so. */
const tier = (
  input: number,
  output: number,
  { cacheRead = input * CACHE_READ, upTo = Number.POSITIVE_INFINITY } = {},
): PriceTier => ({ upTo, input, output, cacheWrite: input * CACHE_WRITE, cacheRead });

const MILLION = { contextWindow: 1_000_000, maxOutput: 128_000 };
const SMALL = { contextWindow: 200_000, maxOutput: 64_000 };
/** The vocabulary since Opus 4.7 makes some 30 % more tokens of a text than the one before, which is close to o200k. */
const NEW_VOCABULARY = { tokenFactor: 1.3 };
const OLD_VOCABULARY = { tokenFactor: 1 };

/**
 * The models that are known here, from platform.claude.com/docs/en: `models/<name>/overview`, the migration guides,
 * `about-claude/pricing`, `about-claude/model-deprecations`, `build-with-claude/prompt-caching` and
 * `build-with-claude/thinking-troubleshooting`, as of November 2026. A dated name (`claude-haiku-4-5-20251001`) is found
 * under its undated one.
 */
const CLAUDE_MODELS: ReadonlyMap<string, ClaudeModel> = new Map<string, ClaudeModel>([
  [
    'claude-opus-5-5',
    {
      prices: [tier(4, 20, { cacheRead: 0.2 })],
      ...MILLION,
      thinking: 'always',
      refuses: ['thinking_budget', 'thinking_disabled', 'forced_tool', 'prefill'],
      efforts: EFFORTS,
      cacheMinimum: 512,
      ...NEW_VOCABULARY,
      retirement: { notBefore: '2027-09-22' },
    },
  ],
  [
    'claude-sonnet-5-5',
    {
      prices: [tier(2, 10, { cacheRead: 0.1 })],
      ...MILLION,
      thinking: 'on',
      refuses: ['thinking_budget', 'thinking_disabled', 'forced_tool', 'prefill'],
      efforts: EFFORTS,
      cacheMinimum: 512,
      ...NEW_VOCABULARY,
      retirement: { notBefore: '2027-09-28' },
    },
  ],
  [
    'claude-haiku-5-5',
    {
      prices: [tier(0.1, 0.5, { upTo: 100_000 }), tier(0.5, 2.5)],
      ...MILLION,
      thinking: 'on',
      refuses: ['thinking_budget', 'prefill'],
      efforts: EFFORTS,
      cacheMinimum: 512,
      ...NEW_VOCABULARY,
      retirement: { notBefore: '2027-10-07' },
    },
  ],
  [
    'claude-opus-5',
    {
      prices: [tier(5, 25)],
      ...MILLION,
      thinking: 'on',
      refuses: ['thinking_budget', 'prefill'],
      efforts: EFFORTS,
      cacheMinimum: 512,
      ...NEW_VOCABULARY,
      retirement: { notBefore: '2027-07-24' },
    },
  ],
  [
    'claude-sonnet-5',
    {
      prices: [tier(2, 10)],
      ...MILLION,
      thinking: 'on',
      refuses: ['thinking_budget', 'prefill'],
      efforts: EFFORTS,
      cacheMinimum: 1_024,
      ...NEW_VOCABULARY,
      retirement: { notBefore: '2027-06-30' },
    },
  ],
  [
    'claude-sonnet-4-6',
    {
      prices: [tier(3, 15)],
      ...MILLION,
      thinking: 'off',
      refuses: ['prefill'],
      efforts: ['low', 'medium', 'high', 'max'],
      cacheMinimum: 1_024,
      ...OLD_VOCABULARY,
      retirement: { notBefore: '2027-02-17' },
    },
  ],
  [
    'claude-sonnet-4-5',
    {
      prices: [tier(3, 15)],
      ...SMALL,
      thinking: 'off',
      refuses: [],
      efforts: [],
      cacheMinimum: 1_024,
      ...OLD_VOCABULARY,
      retirement: { on: '2026-11-30' },
    },
  ],
  [
    'claude-haiku-4-5',
    {
      prices: [tier(1, 5)],
      ...SMALL,
      thinking: 'off',
      refuses: [],
      efforts: [],
      cacheMinimum: 4_096,
      ...OLD_VOCABULARY,
      retirement: { notBefore: '2026-10-15' },
    },
  ],
]);

/** What is known of a model; undefined for one that is not known here, which is then sent no optional setting. */
export function claudeModel(id: string): ClaudeModel | undefined {
  return CLAUDE_MODELS.get(id.replace(/-20\d{6}$/, ''));
}

/** Tokens of the model for one of the o200k vocabulary; 1 for a model that is not known here. */
export const tokenFactorOf = (id: string): number => claudeModel(id)?.tokenFactor ?? 1;

/**
 * What a short reply may need for the thoughts before it. At low effort these are some hundreds of tokens, where there
 * are any; one that ran out of room would lose the whole reply, and room that is not used costs nothing.
 */
const THINKING_ROOM = 4_000;

/** What a reply needs at least to say anything, in o200k tokens. */
const LEAST_REPLY = 256;
/** What the thoughts before it need at least: no provider takes a smaller budget for them. */
const LEAST_THINKING = 1_024;

/** Tokens of prompt and reply together; a model that is not known here is taken for one of the smaller ones. */
export const contextWindowOf = (id: string): number => claudeModel(id)?.contextWindow ?? SMALL.contextWindow;

/** The output tokens without which a model is not worth calling: less would be used up by its thoughts. */
export function leastOutput(id: string): number {
  const thinking = claudeModel(id)?.thinking === 'off' ? 0 : LEAST_THINKING;
  return Math.ceil(LEAST_REPLY * tokenFactorOf(id)) + thinking;
}

/**
 * The output tokens to allow a model for a reply of `textTokens` o200k tokens: thoughts count against the same limit, and
 * the same text can be more tokens. A model that is not known here is taken for one that thinks.
 */
export function outputRoom(id: string, textTokens: number): number {
  const text = Math.ceil(textTokens * tokenFactorOf(id));
  return claudeModel(id)?.thinking === 'off' ? text : text + THINKING_ROOM;
}
