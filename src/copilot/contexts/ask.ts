import { type LanguageModel, ModelError, type OnUsage } from '../../llm/model.ts';
import { oneLine } from '../../text/one-line.ts';
import { storableText } from '../../text/storable.ts';
import { clipTokens } from '../clip.ts';
import { CONTEXT_TOKENS, contextRequest, type NumberedPassage, readableReply } from './prompt.ts';

/** Passages of a part, and the beginning that their requests share. */
export interface Asked {
  prefix: string;
  isShared: boolean;
  passages: readonly NumberedPassage[];
}

export interface AskTerms {
  signal: AbortSignal;
  /** Told of each call, also of one that fails. */
  onUsage: OnUsage;
}

/** In characters: a line that is longer than its tokens could be. */
const LONGEST_LINE = 2_000;

/**
 * Contexts of passages by their numbers: each one line of bounded length. The reply is of a model that has read a document of anybody:
 * what is not of the agreed shape is left out, and a passage without a context is not in what is given.
 *
 * @throws ModelError when the call fails
 */
export async function askContexts(
  model: LanguageModel,
  asked: Asked,
  { signal, onUsage }: AskTerms,
): Promise<Map<number, string>> {
  const generation = await model.generate({
    ...contextRequest(model.id, asked),
    signal,
    onLost: onUsage,
  });
  onUsage(generation.usage, generation.model);
  if (generation.stopReason === 'refusal') return new Map();
  const numbers = new Set(asked.passages.map(({ number }) => number));
  const contexts = new Map<number, string>();
  for (const { passage, context } of readReply(generation.text)) {
    const line = cleanContext(context);
    if (line !== '' && numbers.has(passage) && !contexts.has(passage)) contexts.set(passage, line);
  }
  return contexts;
}

/** A context as it is kept, whoever wrote it: one line of bounded length; empty: there is nothing in it. */
export const cleanContext = (text: string): string =>
  clipTokens(oneLine(storableText(text), LONGEST_LINE), CONTEXT_TOKENS);

function readReply(text: string): { passage: number; context: string }[] {
  try {
    return readableReply.parse(JSON.parse(text)).contexts;
  } catch {
    return [];
  }
}

/** Whether another call could end differently. */
export const isLastingModelFailure = (error: unknown): error is ModelError =>
  error instanceof ModelError && error.reason === 'rejected';
