import { z } from 'zod';
import { EFFORTS } from '../llm/models.ts';
import { integer, optional, withDefault } from './schemas.ts';

/** The settings of the language models. */
export const languageModelSettings = {
  LLM_PROVIDER: optional(z.enum(['anthropic', 'openai', 'offline'])),
  ANTHROPIC_API_KEY: optional(z.string()),
  ANTHROPIC_BASE_URL: optional(z.url()),
  OPENAI_API_KEY: optional(z.string()),
  OPENAI_BASE_URL: optional(z.url()),
  LLM_API_KEY: optional(z.string()),
  LLM_BASE_URL: optional(z.url()),
  MODEL_NAME: optional(z.string()),
  ROUTER_MODEL: optional(z.string()),
  TURN_SUMMARY_MODEL: optional(z.string()),
  ANSWER_EFFORT: withDefault(z.enum(EFFORTS), 'medium'),
  ROUTER_EFFORT: withDefault(z.enum(EFFORTS), 'low'),
  SUMMARY_EFFORT: withDefault(z.enum(EFFORTS), 'low'),
  ROUTER_TIMEOUT_SECONDS: withDefault(integer(1, 600), 20),
  MODEL_TIMEOUT_SECONDS: withDefault(integer(1, 3_600), 120),
  MAX_OUTPUT_TOKENS: withDefault(integer(256, 128_000), 8_192),
};

const schema = z.object(languageModelSettings);
type LanguageModelSettings = z.infer<typeof schema>;

/** The settings with what follows from them: of a server that may have any model, one serves for everything. */
export function resolveLanguageModel(settings: LanguageModelSettings) {
  const languageModelProvider =
    settings.LLM_PROVIDER ?? (settings.ANTHROPIC_API_KEY === undefined ? 'offline' : 'anthropic');
  const isOpenAi = languageModelProvider === 'openai';
  const answer = settings.MODEL_NAME ?? (isOpenAi ? '' : 'claude-sonnet-5-5');
  const small = isOpenAi ? answer : 'claude-haiku-5-5';
  return {
    /** `LLM_PROVIDER`, or anthropic where its key is there, else offline. */
    languageModelProvider,
    MODEL_NAME: answer,
    ROUTER_MODEL: settings.ROUTER_MODEL ?? small,
    TURN_SUMMARY_MODEL: settings.TURN_SUMMARY_MODEL ?? small,
  };
}

/** What the settings of language models contradict in each other; empty when nothing. */
export function languageModelProblems(
  settings: LanguageModelSettings,
  { languageModelProvider: provider, MODEL_NAME: model }: ReturnType<typeof resolveLanguageModel>,
): string[] {
  if (provider === 'anthropic' && settings.ANTHROPIC_API_KEY === undefined) {
    return ['ANTHROPIC_API_KEY: is needed when LLM_PROVIDER is anthropic'];
  }
  return provider === 'openai' && model === ''
    ? ['MODEL_NAME: is needed when LLM_PROVIDER is openai: the name that the server knows its model by']
    : [];
}
