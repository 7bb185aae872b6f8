import { z } from 'zod';
import { ACCESS_SCOPES } from '../scope.ts';
import { kind } from './shared.ts';
import { timeSchema } from './time.ts';

/** What a key allows. */
export const accessScopesSchema = z
  .array(z.enum(ACCESS_SCOPES))
  .min(1)
  .max(ACCESS_SCOPES.length)
  .describe(
    'Each holds those before it: `read`, `write`, `admin` (keys and the audit log of the workspace), `service` (all workspaces).',
  );

const perMinute = z.int().min(0).max(1_000_000);

/** Limits of a key's own. */
export const rateLimitsSchema = z.object({
  requests: perMinute.nullable().default(null).describe('Requests a minute, whatever they ask for.'),
  expensive: perMinute
    .nullable()
    .default(null)
    .describe(
      'Of them, those that call a model or convert a file: turns, research, uploads, imports, previews, searches, tools.',
    ),
});

/** An API key, without the key itself. */
export const apiKeySchema = z
  .object({
    object: kind('api_key'),
    id: z.string().describe('Names the key; not secret.'),
    name: z.string().describe('For people: who or what has it.'),
    workspace: z.string().describe('The id of the workspace whose data it opens.'),
    scopes: accessScopesSchema,
    created_at: timeSchema.describe('When it was made; RFC 3339, UTC.'),
    created_by: z.string().nullable().describe('Who made it: `key:` and the id of a key, `open`, `cli`.'),
    expires_at: timeSchema.nullable().describe('From when it is not valid any more; null: never.'),
    last_used_at: timeSchema.nullable().describe('To the minute.'),
    rate_limits: rateLimitsSchema.required().describe('0: no limit; null: as the service is set.'),
  })
  .meta({ id: 'ApiKey', description: 'An API key, without the key itself.' });
export type ApiKey = z.infer<typeof apiKeySchema>;

/** A key as it is shown once. */
export const newApiKeySchema = apiKeySchema
  .extend({ key: z.string().describe('Send it as `Authorization: Bearer`. It is not shown again.') })
  .meta({ id: 'NewApiKey', description: 'An API key as it is shown once.' });
export type NewApiKey = z.infer<typeof newApiKeySchema>;

export const apiKeyDeletionSchema = z
  .object({
    object: kind('deletion'),
    id: z.string().describe('Names the key; not secret.'),
    deleted: z.literal(true).describe('It is gone.'),
  })
  .meta({ id: 'ApiKeyDeletion', description: 'The key that was revoked.' });
export type ApiKeyDeletion = z.infer<typeof apiKeyDeletionSchema>;
