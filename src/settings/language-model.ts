import { z } from 'zod';
import { EFFORTS } from '../llm/models.ts';
import { integer, optional, withDefault } from './schemas.ts';

/** The settings of the language models. */
export const languageModelSettings = {
  ANTHROPIC_API_KEY: optional(z.string()),
  ANTHROPIC_BASE_URL: optional(z.url()),
  OPENAI_API_KEY: optional(z.string()),
  OPENAI_BASE_URL: optional(z.url()),
  MODEL_NAME: withDefault(z.string(), 'claude-sonnet-5-5'),
  ROUTER_MODEL: withDefault(z.string(), 'claude-haiku-5-5'),
  TURN_SUMMARY_MODEL: withDefault(z.string(), 'claude-haiku-5-5'),
  ANSWER_EFFORT: withDefault(z.enum(EFFORTS), 'medium'),
  ROUTER_EFFORT: withDefault(z.enum(EFFORTS), 'low'),
  SUMMARY_EFFORT: withDefault(z.enum(EFFORTS), 'low'),
  ROUTER_TIMEOUT_SECONDS: withDefault(integer(1, 600), 20),
  MODEL_TIMEOUT_SECONDS: withDefault(integer(1, 3_600), 120),
  MAX_OUTPUT_TOKENS: withDefault(integer(256, 128_000), 8_192),
};
