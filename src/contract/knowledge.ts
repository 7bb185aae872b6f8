import { z } from 'zod';
import { kind } from './shared.ts';
import { modeSchema, skeletonFieldSchema } from './state.ts';

const entryMembers = {
  key: z.string().describe('Names it, within its mode.'),
  number: z.int().describe('Its place in the catalogue, from 1.'),
  mode: modeSchema.describe('The mode that it belongs to.'),
  title: z.string().describe('Its title, for people.'),
  fires_when: z.string().describe('When it is to be used.'),
  questions: z.array(z.string()).describe('Questions that it asks.'),
  tokens: z.int().describe('Tokens of its full text.'),
};
const probeSummarySchema = z.object({
  object: kind('probe'),
  ...entryMembers,
  fields: z.array(skeletonFieldSchema).describe('The fields of the skeleton that it fills.'),
  complete_when: z.array(z.string()).describe('What has to be known for it to be done.'),
});
const patternSummarySchema = z.object({ object: kind('pattern'), ...entryMembers });

/** A line of questioning. */
export const probeSchema = probeSummarySchema
  .extend({ body: z.string().describe('Its full text, as Markdown.') })
  .meta({ id: 'Probe', description: 'A line of questioning.' });
export type ShownProbe = z.infer<typeof probeSchema>;

/** A recurring organisational problem. */
export const patternSchema = patternSummarySchema
  .extend({ body: z.string().describe('Its full text, as Markdown.') })
  .meta({ id: 'Pattern', description: 'A recurring organisational problem.' });
export type ShownPattern = z.infer<typeof patternSchema>;

const textSchema = z.object({
  title: z.string().describe('Its title, for people.'),
  tokens: z.int().describe('Tokens of its full text.'),
  body: z.string().describe('Its full text, as Markdown.'),
});

/** Everything that the copilot knows by itself, without the texts of probes and patterns. */
export const knowledgeSchema = z
  .object({
    object: kind('knowledge'),
    modes: z
      .array(
        z.object({
          mode: modeSchema.describe('The mode that it belongs to.'),
          core: textSchema.describe('The core instructions.'),
          probes: z.array(probeSummarySchema).describe('The lines of questioning.'),
          patterns: z.array(patternSummarySchema).describe('The recurring problems that it recognises.'),
          risks: textSchema.nullable().describe('The instructions for risks; null in a mode without them.'),
        }),
      )
      .describe('What there is in each mode.'),
  })
  .meta({
    id: 'Knowledge',
    description: 'Everything that the copilot knows by itself, without the texts of probes and patterns.',
  });
