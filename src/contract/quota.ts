import { z } from 'zod';
import { kind } from './shared.ts';
import { timeSchema } from './time.ts';

const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER).nullable();

/** What a workspace may hold at a time, and spend in a month. */
export const quotasSchema = z
  .object({
    projects: count.describe('Projects; the library is none.'),
    files: count.describe('Files of all projects and of the library.'),
    bytes: count.describe('Bytes of their originals, of all versions that are kept.'),
    keys: count.describe('API keys, expired ones included.'),
    tokens_per_month: count.describe('Tokens read and written by models in a calendar month, in UTC.'),
    usd_per_month: z.number().min(0).nullable().describe('The same in US dollars, at list prices.'),
  })
  .meta({ id: 'Quotas', description: 'What a workspace may hold and spend; null: no limit.' });
export type Quotas = z.infer<typeof quotasSchema>;
export type QuotaName = keyof Quotas;

const useSchema = z.object({
  used: z.number().describe('What there is, or was spent.'),
  limit: z.number().nullable().describe('Null: no limit.'),
});

/** What a workspace holds, and has spent this month, each with its limit. */
export const workspaceUsageSchema = z
  .object({
    object: kind('workspace_usage'),
    workspace: z.string().describe('The id of the workspace.'),
    projects: useSchema.describe('Projects; the library is none.'),
    files: useSchema.describe('Files of all projects and of the library.'),
    bytes: useSchema.describe('Bytes of their originals, of all versions that are kept.'),
    keys: useSchema.describe('API keys, expired ones included.'),
    concurrent_turns: useSchema.describe('Turns that are under way.'),
    concurrent_research: useSchema.describe('Research runs that are under way.'),
    tokens_per_month: useSchema.describe('Tokens read and written by models this month.'),
    usd_per_month: useSchema.describe('Calls of models whose price is not known are not in it.'),
    resets_at: timeSchema.describe('When the next month begins.'),
  })
  .meta({
    id: 'WorkspaceUsage',
    description:
      'What the workspace holds and has under way, and has spent this month. What was deleted counts as spent.',
  });
export type WorkspaceUsage = z.infer<typeof workspaceUsageSchema>;
