import { z } from 'zod';
import { projectIdSchema } from '../../contract/project.ts';
import { projectNotFound } from '../../errors.ts';
import type { Principal, Scope } from '../../scope.ts';
import { TURNING } from '../../text/turning.ts';

/** Query parameters of every list. */
export const pageQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(20).describe('How many at most, 1 to 100.'),
  after: z.string().max(200).optional().describe('A `last_id`: the page that follows it.'),
  before: z.string().max(200).optional().describe('A `first_id`: the page that ends before it.'),
  order: z.enum(['asc', 'desc']).default('asc').describe('Oldest first, or newest first.'),
});

/** Bytes that are sent or taken as they are, for the contract: nothing checks them. */
export const binarySchema = (description: string) =>
  z.any().meta({ type: 'string', format: 'binary', description });

/** A list that has no pages. */
export const wholeList = <T>(data: T[]) => ({ object: 'list' as const, data, has_more: false as const });

export const projectNameSchema = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .refine((name) => !TURNING.test(name), {
    error: 'must not hold characters that turn the direction of text (U+202A to U+202E, U+2066 to U+2069)',
  })
  .describe('For people: 1 to 200 characters.');

/** Path of a project. A malformed id is one that no project has, so it answers 404 and not 400. */
export const projectParamsSchema = z.object({
  project_id: z.string().max(200).describe('The slug of the project.'),
});

/** What of a request says whose data it is about: who calls, and the path. */
export interface Addressed<Params = object> {
  principal: Principal;
  params: Params;
}

/**
 * Whose data a path names.
 *
 * @throws AppError `project_not_found` for an id that no project can have
 */
export function projectScope({ principal, params }: Addressed<{ project_id: string }>): Scope {
  const projectId = projectIdSchema.safeParse(params.project_id).data;
  if (projectId === undefined) throw projectNotFound(params.project_id);
  return { workspaceId: principal.workspaceId, projectId };
}
