import { z } from 'zod';

/** The documents that are rendered from the state. */
export const artifactNameSchema = z.enum(['problem_brief', 'solution_evaluation']);
export type ArtifactName = z.infer<typeof artifactNameSchema>;

/** A document that is rendered from the state. */
export const artifactSchema = z
  .object({ object: z.literal('artifact'), name: artifactNameSchema, title: z.string(), bytes: z.int() })
  .meta({ id: 'Artifact' });
export type Artifact = z.infer<typeof artifactSchema>;
