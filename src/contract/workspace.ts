import { z } from 'zod';
import { quotasSchema, workspaceUsageSchema } from './quota.ts';
import { kind } from './shared.ts';
import { timeSchema } from './time.ts';

/** A tenant. */
export const workspaceSchema = z
  .object({
    object: kind('workspace'),
    id: z.string().describe('The id of the workspace.'),
    name: z.string().describe('For people.'),
    created_at: timeSchema.describe('When it was made; RFC 3339, UTC.'),
    quotas: quotasSchema.describe('Its own, or else those of the service; null: no limit.'),
    usage: workspaceUsageSchema.optional().describe('In the answer to a request for one workspace.'),
  })
  .meta({ id: 'Workspace', description: 'A tenant.' });
export type Workspace = z.infer<typeof workspaceSchema>;

export const workspaceDeletionSchema = z
  .object({
    object: kind('deletion'),
    id: z.string().describe('The id of the workspace.'),
    deleted: z.literal(true).describe('It is gone.'),
    removed: z
      .object({
        projects: z.int().describe('Projects.'),
        files: z.int().describe('Files of its projects and its library.'),
        turns: z.int().describe('Turns.'),
        keys: z.int().describe('API keys.'),
      })
      .describe('What was removed with it.'),
  })
  .meta({
    id: 'WorkspaceDeletion',
    description: 'What went with the workspace, counted before it was removed.',
  });
export type WorkspaceDeletion = z.infer<typeof workspaceDeletionSchema>;
