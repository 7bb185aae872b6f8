import type { ProviderFacts } from '../provider-failure.ts';
import { ServerFailure } from './client.ts';

/**
 * What a request to a server has failed with, in the terms of every provider.
 *
 * @param of.name as people call it: `The embedding server`
 * @param of.adviceOn what is to be changed in the settings, where they are to blame
 */
export function readServerFailure(
  error: unknown,
  timedOut: boolean,
  { name, adviceOn }: { name: string; adviceOn: (failure: ServerFailure) => string | undefined },
): ProviderFacts {
  if (timedOut) return { message: `${name} did not answer in time`, retryable: true, cause: error };
  if (!(error instanceof ServerFailure) || error.isConnection) {
    return { message: `${name} cannot be reached`, retryable: true, cause: error };
  }
  const { status = 500, detail, retryAfterSeconds } = error;
  const advice = error.isMissing ? detail : adviceOn(error);
  return {
    message: `${name} answered ${status}: ${detail.slice(0, 300)}`,
    retryable: advice === undefined && (status === 408 || status === 429 || status >= 500),
    status,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(advice !== undefined && { advice }),
    cause: error,
  };
}
