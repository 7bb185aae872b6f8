import { z } from 'zod';
import { PROJECT_ID } from '../scope.ts';
import { modeSchema } from './state.ts';
import { timeSchema } from './time.ts';

/** The id of a project, a slug. */
export const projectIdSchema = z
  .string()
  .regex(PROJECT_ID, 'must be 1 to 64 of a-z, 0-9 and -, not starting or ending with -')
  .describe('The slug of the project.');

/** What everything else belongs to. */
export const projectSchema = z
  .object({
    object: z.literal('project'),
    id: z.string(),
    name: z.string(),
    turn_count: z.int(),
    active_mode: modeSchema,
    created_at: timeSchema,
    updated_at: timeSchema,
  })
  .meta({ id: 'Project' });
export type Project = z.infer<typeof projectSchema>;

/** What the deletion of a project removed. */
export const projectDeletionSchema = z
  .object({
    object: z.literal('deletion'),
    id: z.string(),
    deleted: z.literal(true),
    removed: z.object({
      files: z.int(),
      versions: z.int(),
      parents: z.int(),
      leaves: z.int(),
      vectors: z.int(),
      turns: z.int(),
      summaries: z.int(),
      jobs: z.int(),
    }),
  })
  .meta({ id: 'ProjectDeletion', description: 'What a deletion removed, counted before it was removed.' });
export type ProjectDeletion = z.infer<typeof projectDeletionSchema>;
