import { z } from 'zod';
import { integer, withDefault } from './schemas.ts';

/** The settings of what is sent to webhooks. */
export const webhookSettings = {
  WEBHOOK_ALLOW_PRIVATE: withDefault(z.stringbool(), 'false'),
  WEBHOOK_TIMEOUT_SECONDS: withDefault(integer(1, 60), 10),
  WEBHOOK_ATTEMPTS: withDefault(integer(1, 20), 8),
  WEBHOOK_RETRY_SECONDS: withDefault(integer(0, 3_600), 5),
};
