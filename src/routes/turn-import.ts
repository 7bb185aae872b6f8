import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { turnsImportSchema } from '../contract/turns-import.ts';
import { AppError } from '../errors.ts';
import type { Services } from '../services/services.ts';
import { IDEMPOTENCY_ERRORS, idempotencyHeaders } from './plumbing/idempotency.ts';
import { problemResponses } from './plumbing/problems.ts';
import { validatorCompiler } from './plumbing/validation.ts';
import { projectParamsSchema, projectScope } from './plumbing/wire.ts';

const CONVERSATION_BYTES = 16 * 1024 * 1024;
const TYPES = ['application/jsonl', 'application/x-ndjson'];

/** A conversation that was held elsewhere comes in. */
export const turnImportRoutes: FastifyPluginAsyncZod<{ services: Services }> = async (app, { services }) => {
  app.addContentTypeParser(
    TYPES,
    { parseAs: 'string', bodyLimit: CONVERSATION_BYTES },
    (_request, body, done) => done(null, body),
  );
  app.post(
    '/projects/:project_id/turns::import',
    {
      config: { idempotency: 'json', isExpensive: true, spends: 'other', sends: ['Location'] },
      // what is wrong is said by the line that it stands in
      validatorCompiler: (part) =>
        part.httpPart === 'body' ? (value) => ({ value }) : validatorCompiler(part as never),
      schema: {
        operationId: 'importTurns',
        tags: ['archives'],
        summary: 'Import a conversation',
        description:
          'Messages as JSON Lines, in their order: `{"role":"user","content":"…","created_at":"…"}`, each followed by its reply with the role `assistant`; a reply may come first where the project has no turns. Each pair becomes a completed turn behind those that there are, without routing or receipt, and is summarised and found like any other. All of it is taken or nothing: what is wrong is named by its line. Up to 10,000 messages in 16 MB.',
        params: projectParamsSchema,
        headers: idempotencyHeaders,
        consumes: TYPES,
        body: z.string().describe('One message a line.'),
        response: {
          201: turnsImportSchema,
          ...problemResponses(
            'project_not_found',
            'turn_in_progress',
            'unsupported_request_type',
            'body_too_large',
            ...IDEMPOTENCY_ERRORS,
          ),
        },
      },
    },
    async (request, reply) => {
      const scope = projectScope(request);
      if (typeof request.body !== 'string') {
        throw new AppError('unsupported_request_type', {
          detail: `A conversation is sent as JSON Lines, with the type ${TYPES.join(' or ')}.`,
        });
      }
      const imported = await services.turnImport.importTurns(scope, request.body);
      return reply
        .status(201)
        .header('location', `/projects/${scope.projectId}/turns/${imported.first_turn}`)
        .send(imported);
    },
  );
};
