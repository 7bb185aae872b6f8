import { z } from 'zod';
import { type SkeletonField, skeletonFieldSchema } from '../contract/state.ts';

const line = z.string().trim().min(1);
const phrase = line.refine((text) => text === text.toLowerCase(), 'must be lower case');

function distinct(values: string[]): boolean {
  return new Set(values).size === values.length;
}

const entry = {
  key: z.string().regex(/^[a-z]+(-[a-z]+)*$/),
  number: z.int().positive(),
  title: line,
  fires_when: line,
  signals: z.array(phrase).min(10).max(20).refine(distinct, 'must not repeat a phrase'),
  questions: z.array(line).min(3).max(8).refine(distinct, 'must not repeat a question'),
};

export const probeSchema = z.strictObject({
  ...entry,
  complete_when: z.array(line).min(1),
  /** Skeleton field -> what a good value of it looks like. */
  fields: z
    .partialRecord(skeletonFieldSchema, line)
    .refine((fields) => Object.keys(fields).length > 0, 'must name at least one field'),
});

export const patternSchema = z.strictObject(entry);

/** Of core instructions and of the four risks. */
export const titleSchema = z.strictObject({ title: line });

/** The fields of a probe with their guidance, in the order in which the file names them. */
export function fieldGuidance(probe: z.infer<typeof probeSchema>): [SkeletonField, string][] {
  return Object.entries(probe.fields) as [SkeletonField, string][];
}
