import { z } from 'zod';
import { kind } from './shared.ts';

/** The documents that are rendered from the state. */
export const artifactNameSchema = z.enum(['problem_brief', 'solution_evaluation']);
export type ArtifactName = z.infer<typeof artifactNameSchema>;

/** A document that is rendered from the state. */
export const artifactSchema = z
  .object({
    object: kind('artifact'),
    name: artifactNameSchema.describe('What it is asked for by.'),
    title: z.string().describe('Its title, for people.'),
    bytes: z.int().describe('The length of its Markdown in bytes, as it is now.'),
  })
  .meta({ id: 'Artifact', description: 'A document that is rendered from the state.' });
export type Artifact = z.infer<typeof artifactSchema>;
