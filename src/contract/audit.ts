import { z } from 'zod';
import { kind } from './shared.ts';
import { timeSchema } from './time.ts';

/** Something that a caller did, or was refused. */
export const auditEventSchema = z
  .object({
    object: kind('audit_event'),
    at: timeSchema,
    actor: z
      .string()
      .describe(
        '`key:` and the id of a key; `open`: anyone, since no key was asked for; `cli`; `service`: an administrator of the service, from another workspace.',
      ),
    actor_name: z.string().describe('What the actor was called then.'),
    action: z.string().describe('The operationId.'),
    resource: z.string().describe('The address of what was made, changed or taken out.'),
    status: z.int().describe('The HTTP status of the answer: from 400 on, it was not done.'),
    request_id: z.string().describe('The name of the request in logs.'),
    address: z
      .string()
      .nullable()
      .describe('Where the request came from; null of an administrator of the service.'),
  })
  .meta({ id: 'AuditEvent', description: 'Something that a caller did, or was refused.' });
export type AuditEvent = z.infer<typeof auditEventSchema>;
