import { APIConnectionError, APIError } from '@anthropic-ai/sdk';
import { type ProviderSetup, settingsAdvice, settingsFault } from '../provider-advice.ts';
import { isMissing } from '../recording/missing.ts';
import { parseRetryAfter } from '../retry.ts';
import { ModelError } from './model.ts';

/** Failures that a stream reports after its 200: those of the provider, not of the request. */
const PROVIDER_FAULTS = new Set(['overloaded_error', 'api_error', 'rate_limit_error', 'timeout_error']);

/** A failure of the SDK in the terms of the port. Its message is the provider's own, for the log alone. */
export function toModelError(error: unknown, setup: ProviderSetup): ModelError {
  if (error instanceof APIConnectionError || !(error instanceof APIError)) {
    return new ModelError('The connection to the model failed', { reason: 'unavailable', cause: error });
  }
  const status: number | undefined = error.status;
  const retryAfterSeconds = parseRetryAfter(error.headers?.get('retry-after'));
  const advice = adviceOn(error, setup);
  return new ModelError(`Anthropic answered ${status ?? error.type ?? 'with an error'}${detailOf(error)}`, {
    reason: isProvidersFault(error) ? 'unavailable' : 'rejected',
    ...(status !== undefined && { status }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(advice !== undefined && { advice }),
    cause: error,
  });
}

/** What to change in the settings, where they are to blame. */
function adviceOn({ status, headers, apiMessage }: APIError, setup: ProviderSetup): string | undefined {
  if (isMissing(headers)) return apiMessage ?? undefined;
  const fault = settingsFault(status);
  return fault && settingsAdvice(fault, setup);
}

function isProvidersFault({ status, type }: APIError): boolean {
  if (status === undefined) return PROVIDER_FAULTS.has(type ?? '');
  return status === 408 || status === 429 || status >= 500;
}

function detailOf(error: APIError): string {
  return error.apiMessage ? `: ${error.apiMessage.slice(0, 300)}` : '';
}
