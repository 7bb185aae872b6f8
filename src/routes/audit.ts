import { Readable } from 'node:stream';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { type AuditEvent, auditEventSchema } from '../contract/audit.ts';
import { listOf } from '../contract/list.ts';
import type { Services } from '../services/services.ts';
import type { App } from './plumbing/app.ts';
import { problemResponses } from './plumbing/problems.ts';
import { pageQuerySchema } from './plumbing/wire.ts';

const timeSchema = z.iso.datetime({ offset: true });
const filterSchema = z.object({
  since: timeSchema.optional().describe('Only what happened then or later.'),
  until: timeSchema.optional().describe('Only what happened before.'),
  actor: z.string().max(200).optional().describe('`key:` and the id of a key; `open`; `cli`; `service`.'),
  action: z.string().max(200).optional().describe('An operationId.'),
});

const filterOf = ({ since, until, actor, action }: z.infer<typeof filterSchema>) => ({
  since: since === undefined ? null : new Date(since),
  until: until === undefined ? null : new Date(until),
  actor: actor ?? null,
  action: action ?? null,
});

function listAudit(app: App, { audit }: Services): void {
  app.get(
    '/audit',
    {
      config: { access: 'admin' },
      schema: {
        operationId: 'listAuditEvents',
        tags: ['keys'],
        summary: 'Who did what?',
        description:
          'What was made, changed, deleted or exported in the workspace, by whom and with what outcome, refusals included; never what was in it. What an administrator of the service does to it from another workspace is there, too.',
        querystring: pageQuerySchema.extend(filterSchema.shape),
        response: { 200: listOf(auditEventSchema), ...problemResponses('invalid_cursor') },
      },
    },
    async ({ principal, query }) => {
      const { limit, after, before, order } = query;
      return audit.list(principal.workspaceId, filterOf(query), { limit, after, before, order });
    },
  );
}

async function* lines(events: AsyncIterable<AuditEvent>): AsyncGenerator<string> {
  for await (const event of events) yield `${JSON.stringify(event)}\n`;
}

function exportAudit(app: App, { audit }: Services): void {
  app.get(
    '/audit/export',
    {
      config: { access: 'admin', audited: true },
      schema: {
        operationId: 'exportAuditEvents',
        tags: ['keys'],
        summary: 'Export the audit log',
        description: 'All of it, or what the filter leaves, as JSON Lines: an event a line, oldest first.',
        querystring: filterSchema,
        produces: ['application/jsonl'],
        response: {
          200: z.any().meta({ type: 'string', description: 'The events, one a line.' }),
          ...problemResponses(),
        },
      },
    },
    async ({ method, principal, query }, reply) => {
      const events = method === 'HEAD' ? [] : lines(audit.all(principal.workspaceId, filterOf(query)));
      return reply
        .headers({ 'content-type': 'application/jsonl; charset=utf-8', 'cache-control': 'no-store' })
        .serializer((body: unknown) => body as string)
        .send(Readable.from(events));
    },
  );
}

/** The audit log: read, export. */
export const auditRoutes: FastifyPluginAsyncZod<{ services: Services }> = async (app, { services }) => {
  listAudit(app, services);
  exportAudit(app, services);
};
