import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { AppError } from '../errors.ts';
import type { Pattern, Probe } from '../knowledge/entry.ts';
import type { Services } from '../services/services.ts';
import { modeSchema, skeletonFieldSchema } from '../state/schema.ts';
import { problemResponses } from './plumbing/problems.ts';

const entryMembers = {
  key: z.string(),
  number: z.int(),
  mode: modeSchema,
  title: z.string(),
  fires_when: z.string(),
  questions: z.array(z.string()),
  tokens: z.int(),
};
const probeSummarySchema = z.object({
  object: z.literal('probe'),
  ...entryMembers,
  fields: z.array(skeletonFieldSchema).describe('The fields of the skeleton that it fills.'),
  complete_when: z.array(z.string()),
});
const patternSummarySchema = z.object({ object: z.literal('pattern'), ...entryMembers });
const probeSchema = probeSummarySchema.extend({ body: z.string() }).meta({ id: 'Probe' });
const patternSchema = patternSummarySchema.extend({ body: z.string() }).meta({ id: 'Pattern' });
const textSchema = z.object({ title: z.string(), tokens: z.int(), body: z.string() });

const knowledgeSchema = z
  .object({
    object: z.literal('knowledge'),
    modes: z.array(
      z.object({
        mode: modeSchema,
        core: textSchema,
        probes: z.array(probeSummarySchema),
        patterns: z.array(patternSummarySchema),
        risks: textSchema.nullable(),
      }),
    ),
  })
  .meta({ id: 'Knowledge' });

const entryView = (entry: Probe | Pattern) => ({
  key: entry.key,
  number: entry.number,
  mode: entry.mode,
  title: entry.title,
  fires_when: entry.firesWhen,
  questions: entry.questions,
  tokens: entry.tokens,
});
const probeSummary = (probe: Probe) => ({
  object: 'probe' as const,
  ...entryView(probe),
  fields: probe.fields,
  complete_when: probe.completeWhen,
});
const patternSummary = (pattern: Pattern) => ({ object: 'pattern' as const, ...entryView(pattern) });

const paramsSchema = z.object({ mode: z.string().max(100), key: z.string().max(100) });

/** The copilot's own expertise, read-only. */
export const knowledgeRoutes: FastifyPluginAsyncZod<{ services: Services }> = async (app, { services }) => {
  const { knowledge } = services;

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
    async () => ({
      object: 'knowledge' as const,
      modes: modeSchema.options.map((mode) => ({
        mode,
        core: knowledge.core[mode],
        probes: knowledge.probes[mode].map(probeSummary),
        patterns: knowledge.patterns[mode].map(patternSummary),
        risks: mode === 'evaluation' ? knowledge.risks : null,
      })),
    }),
  );

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
    async (request) => {
      const probe = requireEntry('probe', knowledge.probes, request.params);
      return { ...probeSummary(probe), body: probe.body };
    },
  );

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
    async (request) => {
      const pattern = requireEntry('pattern', knowledge.patterns, request.params);
      return { ...patternSummary(pattern), body: pattern.body };
    },
  );
};
