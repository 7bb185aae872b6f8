import { z } from 'zod';
import { quotasSchema, workspaceUsageSchema } from './quota.ts';
import { timeSchema } from './time.ts';

/** A tenant. */
export const workspaceSchema = z
  .object({
    object: z.literal('workspace'),
    id: z.string(),
    name: z.string(),
    created_at: timeSchema,
    quotas: quotasSchema.describe('Its own, or else those of the service; null: no limit.'),
    usage: workspaceUsageSchema.optional().describe('In the answer to a request for one workspace.'),
  })
  .meta({ id: 'Workspace' });
export type Workspace = z.infer<typeof workspaceSchema>;

export const workspaceDeletionSchema = z
  .object({
    object: z.literal('deletion'),
    id: z.string(),
    deleted: z.literal(true),
    removed: z.object({ projects: z.int(), files: z.int(), turns: z.int(), keys: z.int() }),
  })
  .meta({
    id: 'WorkspaceDeletion',
    description: 'What went with the workspace, counted before it was removed.',
  });
export type WorkspaceDeletion = z.infer<typeof workspaceDeletionSchema>;
