import { z } from 'zod';
import { modeSchema, skeletonFieldSchema } from './state.ts';

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

/** A line of questioning. */
export const probeSchema = probeSummarySchema.extend({ body: z.string() }).meta({ id: 'Probe' });
export type ShownProbe = z.infer<typeof probeSchema>;

/** A recurring organisational problem. */
export const patternSchema = patternSummarySchema.extend({ body: z.string() }).meta({ id: 'Pattern' });
export type ShownPattern = z.infer<typeof patternSchema>;

const textSchema = z.object({ title: z.string(), tokens: z.int(), body: z.string() });

/** Everything that the copilot knows by itself, without the texts of probes and patterns. */
export const knowledgeSchema = z
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
