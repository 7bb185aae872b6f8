import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { knowledgeSchema, patternSchema, probeSchema } from '../contract/knowledge.ts';
import { modeSchema } from '../contract/state.ts';
import { AppError } from '../errors.ts';
import type { Services } from '../services/services.ts';
import type { App } from './plumbing/app.ts';
import { problemResponses } from './plumbing/problems.ts';

const paramsSchema = z.object({
  mode: z.string().max(100).describe('`discovery` or `evaluation`.'),
  key: z.string().max(100).describe('The key of the entry, as `GET /knowledge` gives it.'),
});

/** The entry of this key in this mode, both as the path says them. */
function requireEntry<T extends { key: string }>(
  kind: 'probe' | 'pattern',
  entries: Record<string, readonly T[]>,
  { mode, key }: z.infer<typeof paramsSchema>,
): T {
  const known = modeSchema.safeParse(mode).data;
  const entry = known && entries[known]?.find((candidate) => candidate.key === key);
  if (!entry) {
    throw new AppError('knowledge_not_found', {
      detail: `There is no ${kind} "${key}" in the mode "${mode}". GET /knowledge lists them all.`,
    });
  }
  return entry;
}

function getKnowledge(app: App, { knowledge }: Services): void {
  app.get(
    '/knowledge',
    {
      schema: {
        operationId: 'getKnowledge',
        tags: ['knowledge'],
        summary: 'List the knowledge',
        description:
          'Core instructions, probes, patterns and risks of both modes, without the full texts of the entries.',
        response: { 200: knowledgeSchema, ...problemResponses() },
      },
    },
    // the schema leaves out what a list does not show: the texts of probes and patterns
    async () => ({
      object: 'knowledge' as const,
      modes: modeSchema.options.map((mode) => ({
        mode,
        core: knowledge.core[mode],
        probes: knowledge.probes[mode].map((probe) => ({ object: 'probe' as const, ...probe })),
        patterns: knowledge.patterns[mode].map((pattern) => ({ object: 'pattern' as const, ...pattern })),
        risks: mode === 'evaluation' ? knowledge.risks : null,
      })),
    }),
  );
}

function getProbe(app: App, { knowledge }: Services): void {
  app.get(
    '/knowledge/:mode/probes/:key',
    {
      schema: {
        operationId: 'getProbe',
        tags: ['knowledge'],
        summary: 'Get a probe',
        description: 'A line of questioning with its full text.',
        params: paramsSchema,
        response: { 200: probeSchema, ...problemResponses('knowledge_not_found') },
      },
    },
    async (request) => ({
      object: 'probe' as const,
      ...requireEntry('probe', knowledge.probes, request.params),
    }),
  );
}

function getPattern(app: App, { knowledge }: Services): void {
  app.get(
    '/knowledge/:mode/patterns/:key',
    {
      schema: {
        operationId: 'getPattern',
        tags: ['knowledge'],
        summary: 'Get a pattern',
        description: 'A recurring organisational problem with its full text.',
        params: paramsSchema,
        response: { 200: patternSchema, ...problemResponses('knowledge_not_found') },
      },
    },
    async (request) => ({
      object: 'pattern' as const,
      ...requireEntry('pattern', knowledge.patterns, request.params),
    }),
  );
}

/** The copilot's own expertise, read-only. */
export const knowledgeRoutes: FastifyPluginAsyncZod<{ services: Services }> = async (app, { services }) => {
  getKnowledge(app, services);
  getProbe(app, services);
  getPattern(app, services);
};
