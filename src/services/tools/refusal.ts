import { AppError } from '../../errors.ts';

/** Characters of a reason that are told to a model, at most: it may quote what the model has written. */
const LONGEST_REASON = 1_000;

/** What a model is told of a call that was not done; nothing internal. */
export function refusalText(error: unknown): string {
  const reason =
    error instanceof AppError ? error.detail : 'It failed on our side: answer without it, and say so.';
  return `Not done. ${reason.slice(0, LONGEST_REASON)}`;
}
