import { VoyageAIError, VoyageAITimeoutError } from 'voyageai';
import { type ProviderSetup, type SettingsFault, settingsAdvice, settingsFault } from '../provider-advice.ts';
import type { ProviderFacts } from '../provider-failure.ts';
import { isMissing } from '../recording/missing.ts';
import { parseRetryAfter } from '../retry.ts';

/** What the SDK throws, in the terms of every provider. */
export function readVoyageFailure(error: unknown, timedOut: boolean, setup: ProviderSetup): ProviderFacts {
  if (timedOut || error instanceof VoyageAITimeoutError) {
    return { message: 'Voyage did not answer in time', retryable: true, cause: error };
  }
  if (!(error instanceof VoyageAIError)) {
    return { message: 'The request to Voyage could not be made', retryable: false, cause: error };
  }
  const { statusCode: status } = error;
  if (status === undefined) return { message: 'Voyage cannot be reached', retryable: true, cause: error };
  const { headers } = error.rawResponse ?? {};
  const retryAfterSeconds = parseRetryAfter(headers?.get('retry-after'));
  const detail = detailOf(error.body);
  const fault = faultOf(status, detail);
  const advice = isMissing(headers) ? detail : fault && settingsAdvice(fault, setup);
  return {
    message: `Voyage answered ${status}: ${detail.slice(0, 300)}`,
    retryable: status === 408 || status === 429 || status >= 500,
    status,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(advice !== undefined && { advice }),
    cause: error,
  };
}

/** Voyage answers 400 for a model that it does not have, and names those that it has. */
function faultOf(status: number, detail: string): SettingsFault | undefined {
  return status === 400 && /\bmodel\b.*\bnot supported\b/i.test(detail) ? 'model' : settingsFault(status);
}

function detailOf(body: unknown): string {
  const detail = typeof body === 'object' && body !== null && 'detail' in body ? body.detail : undefined;
  return typeof detail === 'string' ? detail : '';
}
