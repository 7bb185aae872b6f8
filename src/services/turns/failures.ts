import type { TurnFailure } from '../../contract/turn.ts';
import { AppError, ERROR_CODES } from '../../errors.ts';
import { ModelError } from '../../llm/model.ts';

/**
 * Why a turn was stopped from outside. `lost`: its lease is another's or has run out, so that whatever is written about it
 * must prove first that it is still this instance's.
 */
export type StopReason = 'cancelled' | 'lost' | 'shutdown' | 'deadline';

export class TurnStopped extends Error {
  readonly reason: StopReason;

  constructor(reason: StopReason) {
    super(`the turn was stopped: ${reason}`);
    this.name = 'TurnStopped';
    this.reason = reason;
  }
}

/** What is written on a turn whose worker went away. */
export const INTERRUPTED: TurnFailure = {
  code: 'interrupted',
  detail: 'The turn was interrupted before it was answered. The message is kept: retry the turn.',
  retryable: true,
};

/** Whatever stopped a turn, in the terms of the closed table. */
export function turnError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof TurnStopped) {
    return error.reason === 'deadline'
      ? new AppError('model_unavailable', {
          detail: 'The answer took too long. Retry the turn.',
          cause: error,
        })
      : new AppError('service_unavailable', { detail: INTERRUPTED.detail, cause: error });
  }
  if (error instanceof ModelError) {
    if (error.advice !== undefined) {
      const detail = `${error.advice} The message is kept: retry the turn then.`;
      return new AppError('provider_misconfigured', { detail, cause: error });
    }
    if (error.reason === 'rejected') {
      const detail = 'The language model did not accept the request. Another message may go through.';
      return new AppError('model_rejected', { detail, cause: error });
    }
    return new AppError('model_unavailable', {
      detail:
        'The language model could not be reached or did not answer in time. The message is kept: retry the turn.',
      cause: error,
      ...(error.retryAfterSeconds !== undefined && { retryAfterSeconds: error.retryAfterSeconds }),
    });
  }
  return new AppError('internal_error', {
    detail: 'Something went wrong on our side. The message is kept: retry the turn.',
    cause: error,
  });
}

/** The same as the turn's row has it. */
export function failureOf(error: AppError): TurnFailure {
  const reason = error.cause instanceof TurnStopped ? error.cause.reason : null;
  if (reason === 'shutdown' || reason === 'lost') return INTERRUPTED;
  const { code, detail, retryAfterSeconds } = error;
  return {
    code,
    detail,
    retryable: ERROR_CODES[code].retryable,
    ...(retryAfterSeconds !== undefined && { retry_after_s: retryAfterSeconds }),
  };
}
