import { z } from 'zod';
import { PROJECT_ID } from '../scope.ts';
import { removedMembers } from './file.ts';
import { kind } from './shared.ts';
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
    object: kind('project'),
    id: z.string().describe('The slug of the project: part of its address.'),
    name: z.string().describe('For people.'),
    turn_count: z.int().describe('How many turns it has.'),
    active_mode: modeSchema.describe('The mode that the conversation is in.'),
    contextual: z
      .boolean()
      .nullable()
      .describe(
        'Whether a model writes a context for each leaf of the files that come; null: as the service is set.',
      ),
    created_at: timeSchema.describe('When it was made; RFC 3339, UTC.'),
    updated_at: timeSchema.describe('When anything of it changed last; RFC 3339, UTC.'),
  })
  .meta({ id: 'Project', description: 'What everything else belongs to.' });
export type Project = z.infer<typeof projectSchema>;

/** What the deletion of a project removed. */
export const projectDeletionSchema = z
  .object({
    object: kind('deletion'),
    id: z.string().describe('The slug of the project.'),
    deleted: z.literal(true).describe('It is gone.'),
    removed: z
      .object({
        ...removedMembers,
        turns: z.int().describe('Turns of the conversation.'),
        summaries: z.int().describe('Summaries.'),
        jobs: z.int().describe('Jobs that were waiting.'),
      })
      .describe('What was removed with it.'),
  })
  .meta({ id: 'ProjectDeletion', description: 'What a deletion removed, counted before it was removed.' });
export type ProjectDeletion = z.infer<typeof projectDeletionSchema>;
