import { type SettingsFault, settingsFault } from '../provider-advice.ts';
import type { ServerFailure } from './client.ts';

/** The fault of the settings that a server's failure tells of; undefined for what is about the request, or passes by itself. */
export function openAiFault({ status, code, detail }: ServerFailure): SettingsFault | undefined {
  // a rate limit that time does not lift
  if (code === 'insufficient_quota') return 'quota';
  if (code === 'model_not_found' || code === 'invalid_model') return 'model';
  // servers that are no OpenAI answer 400 for a model that they do not have
  if (
    status === 400 &&
    /\bmodel\b.*\b(not found|does not exist|not loaded|no models loaded)\b/i.test(detail)
  ) {
    return 'model';
  }
  return settingsFault(status);
}
