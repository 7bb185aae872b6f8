import type { FileFailure } from '../../contract/file.ts';
import { isLastingModelFailure } from '../../copilot/contexts/ask.ts';
import { EmbeddingError } from '../../embeddings/model.ts';
import { AppError } from '../../errors.ts';
import { ModelError } from '../../llm/model.ts';

const REST = 'The file is found without them; POST to files:contexts writes those that are missing.';

/** Why leaves go without contexts, in words for the owner of the file; nothing internal. */
export function contextFailure(error: unknown): FileFailure {
  const failure = (code: string, message: string): FileFailure => ({
    code,
    message: `${message} ${REST}`,
    retryable: true,
  });
  if (error instanceof AppError) return failure(error.code, error.detail);
  if (error instanceof ModelError || error instanceof EmbeddingError) {
    if (error.advice !== undefined) return failure('provider_misconfigured', error.advice);
  }
  if (isLastingModelFailure(error)) {
    return failure('model_rejected', 'The language model refused to read the document.');
  }
  if (error instanceof ModelError)
    return failure('model_unavailable', 'The language model cannot be reached.');
  if (error instanceof EmbeddingError) {
    return failure(
      'embedding_unavailable',
      'Leaves could not be embedded with their contexts: the embedding provider failed.',
    );
  }
  return failure('internal_error', 'Contexts could not be written because of a failure on our side.');
}

/** Whether another attempt of the job could end differently. */
export const isLasting = (error: unknown): boolean =>
  error instanceof AppError ||
  isLastingModelFailure(error) ||
  (error instanceof EmbeddingError && !error.retryable);
