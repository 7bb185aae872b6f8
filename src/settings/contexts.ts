import { z } from 'zod';
import { integer, withDefault } from './schemas.ts';

/** The settings of the contexts that a model writes on leaves. */
export const contextSettings = {
  CONTEXTUAL: withDefault(z.enum(['on', 'off']), 'off'),
  CONTEXTUAL_DOCUMENT_TOKENS: withDefault(integer(2_000, 150_000), 24_000),
};

/** What they contradict in others; empty when nothing. */
export const contextProblems = (
  { CONTEXTUAL }: { CONTEXTUAL: 'on' | 'off' },
  { languageModelProvider }: { languageModelProvider: string },
): string[] =>
  CONTEXTUAL === 'on' && languageModelProvider === 'offline'
    ? [
        'CONTEXTUAL: needs a language model that writes the contexts: set ANTHROPIC_API_KEY, or LLM_PROVIDER and what belongs to it',
      ]
    : [];
