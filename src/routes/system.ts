import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { problemTypeSchema } from '../contract/problem.ts';
import { healthSchema, readinessSchema, versionSchema } from '../contract/system.ts';
import { AppError, ERROR_CODES, type ErrorCode } from '../errors.ts';
import type { Services } from '../services/services.ts';
import type { App } from './plumbing/app.ts';
import { plainRefusals, problemResponses, STATUS_OF } from './plumbing/problems.ts';

function getHealth(app: App): void {
  app.get(
    '/healthz',
    {
      config: { access: 'public' },
      schema: {
        operationId: 'getHealth',
        tags: ['service'],
        summary: 'Is the process alive?',
        description: 'For liveness probes: answers as long as the process does, whatever else is broken.',
        response: { 200: healthSchema, ...plainRefusals() },
      },
    },
    async () => ({ object: 'health' as const, status: 'ok' as const }),
  );
}

function getReadiness(app: App, { system }: Services): void {
  app.get(
    '/readyz',
    {
      config: { access: 'public' },
      schema: {
        operationId: 'getReadiness',
        tags: ['service'],
        summary: 'Can it do its work?',
        description:
          'For readiness probes and for people: 200 when the database answers, 503 when not, and which database, embedding model and language models are in use. `degraded` is 200 too: something of a provider fails, the reasons say what and what to do, and it is over with its next call that comes through.',
        response: { 200: readinessSchema, 503: readinessSchema, ...plainRefusals() },
      },
    },
    async (_request, reply) => {
      const readiness = await system.readiness();
      return reply.status(readiness.ready ? 200 : 503).send(readiness);
    },
  );
}

function getMetrics(app: App, { metrics }: Services): void {
  app.get(
    '/metrics',
    {
      schema: {
        operationId: 'getMetrics',
        tags: ['service'],
        summary: 'Numbers for Prometheus',
        description:
          'Of this process since its start, in the text format of Prometheus: requests, turns, jobs, the queue, providers, tokens and their cost, the database, child processes, memory. Numbers only, nothing of any document.',
        produces: ['text/plain'],
        response: { 200: z.string().describe('The numbers, one a line.') },
      },
    },
    async (_request, reply) =>
      reply
        .header('content-type', metrics.contentType)
        .serializer((body: unknown) => body as string)
        .send(await metrics.read()),
  );
}

function getVersion(app: App, version: string, { system }: Services): void {
  app.get(
    '/version',
    {
      schema: {
        operationId: 'getVersion',
        tags: ['service'],
        summary: 'Which version is running?',
        description: 'The version of the service and of Node.js, and which models it works with.',
        response: { 200: versionSchema },
      },
    },
    async () => ({ object: 'version' as const, version, node: process.version, ...system.providers }),
  );
}

function getProblemType(app: App): void {
  app.get(
    '/problems/:code',
    {
      config: { access: 'public' },
      schema: {
        operationId: 'getProblemType',
        tags: ['service'],
        summary: 'What does a problem mean?',
        description: 'The address that the `type` of a problem document names.',
        params: z.object({ code: z.string().max(100).describe('The code of the problem.') }),
        response: {
          200: problemTypeSchema,
          ...problemResponses('route_not_found'),
        },
      },
    },
    async (request) => {
      const code = request.params.code as ErrorCode;
      if (!Object.hasOwn(ERROR_CODES, code)) {
        throw new AppError('route_not_found', { detail: `There is no kind of problem named "${code}".` });
      }
      return { object: 'problem_type' as const, code, ...ERROR_CODES[code], status: STATUS_OF[code] };
    },
  );
}

/** Health, readiness, version, and a page for each kind of problem. */
export const systemRoutes: FastifyPluginAsyncZod<{ services: Services; version: string }> = async (
  app,
  { services, version },
) => {
  getHealth(app);
  getReadiness(app, services);
  getMetrics(app, services);
  getVersion(app, version, services);
  getProblemType(app);
};
