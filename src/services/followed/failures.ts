import type { TurnFailure } from '../../contract/turn.ts';
import { AppError, DatabaseError, ERROR_CODES, problemOfDatabase } from '../../errors.ts';
import { ModelError } from '../../llm/model.ts';
import { Stopped } from './stopped.ts';

/** How the failures of a kind are told: whole sentences, for its user. */
export interface FailureWords {
  interrupted: string;
  /** `Retry the turn.` */
  retry: string;
  /** What is left after a failure, and what to do: `The message is kept: retry the turn` */
  kept: string;
  /** What else may be sent: `Another message` */
  another: string;
}

/** What is written when the worker went away, and how whatever stops one is told, in the terms of the closed table. */
export function createFailures({ interrupted, retry, kept, another }: FailureWords) {
  const INTERRUPTED: TurnFailure = { code: 'interrupted', detail: interrupted, retryable: true };

  function ofModel(error: ModelError): AppError {
    if (error.advice !== undefined) {
      return new AppError('provider_misconfigured', {
        detail: `${error.advice} ${kept} then.`,
        cause: error,
      });
    }
    if (error.reason === 'rejected') {
      const detail = `The language model did not accept the request. ${another} may go through.`;
      return new AppError('model_rejected', { detail, cause: error });
    }
    return new AppError('model_unavailable', {
      detail: `The language model could not be reached or did not answer in time. ${kept}.`,
      cause: error,
      ...(error.retryAfterSeconds !== undefined && { retryAfterSeconds: error.retryAfterSeconds }),
    });
  }

  return {
    INTERRUPTED,

    /** Whatever stopped one, in the terms of the closed table. */
    errorOf(error: unknown): AppError {
      if (error instanceof AppError) return error;
      if (error instanceof Stopped) {
        return error.reason === 'deadline'
          ? new AppError('model_unavailable', { detail: `The answer took too long. ${retry}`, cause: error })
          : new AppError('service_unavailable', { detail: interrupted, cause: error });
      }
      if (error instanceof ModelError) return ofModel(error);
      if (error instanceof DatabaseError) return problemOfDatabase(error);
      return new AppError('internal_error', {
        detail: `Something went wrong on our side. ${kept}.`,
        cause: error,
      });
    },

    /** The same as its row has it. */
    failureOf(error: AppError): TurnFailure {
      const reason = error.cause instanceof Stopped ? error.cause.reason : null;
      if (reason === 'shutdown' || reason === 'lost') return INTERRUPTED;
      const { code, detail, retryAfterSeconds } = error;
      return {
        code,
        detail,
        retryable: ERROR_CODES[code].retryable,
        ...(retryAfterSeconds !== undefined && { retry_after_s: retryAfterSeconds }),
      };
    },
  };
}

/** What a row says of a failure, as an error again. */
export function errorOfFailure(failure: TurnFailure | null, extra: Record<string, unknown>): AppError {
  const isKnown = failure !== null && Object.hasOwn(ERROR_CODES, failure.code);
  return new AppError(isKnown ? (failure.code as keyof typeof ERROR_CODES) : 'internal_error', {
    ...(failure && { detail: failure.detail }),
    ...(failure?.retry_after_s !== undefined && { retryAfterSeconds: failure.retry_after_s }),
    extra,
  });
}
